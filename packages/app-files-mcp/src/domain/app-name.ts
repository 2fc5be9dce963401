import { AppFilesError } from "./errors.ts";

const pattern = /^[a-z][a-z0-9-]{0,31}$/;

/** Whether a text can name an app: a lower-case letter, then up to 31 of a-z, 0-9 and `-`. */
export function isAppName(text: string): boolean {
  return pattern.test(text);
}

/** Which apps a server serves. */
export interface AppPolicy {
  /** Names and globs (`*`, `?`) as configured; empty when every app is served. */
  readonly allowed: readonly string[];
  allows(app: string): boolean;
}

/** @throws AppFilesError INVALID_ARGUMENT for an entry that is neither a name nor a glob over names. */
export function createAppPolicy(allowed: readonly string[]): AppPolicy {
  const tests = allowed.map(toTest);
  return { allowed, allows: (app) => tests.length === 0 || tests.some((test) => test(app)) };
}

function toTest(entry: string): (app: string) => boolean {
  if (!/^[a-z*?][a-z0-9*?-]{0,63}$/.test(entry)) {
    throw new AppFilesError("INVALID_ARGUMENT", {
      argument: "--allow-app",
      problem: `must be an app's name or a pattern with * and ?, not ${JSON.stringify(entry)}`,
      next: "Give --allow-app a name such as notes, or a pattern such as team-*.",
    });
  }
  return (app) => matches(entry, app);
}

/** Wildcards without backtracking: only the last `*` is ever tried again. */
function matches(glob: string, text: string): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let i = 0; i < text.length || at < glob.length; ) {
    if (glob[at] === "*") {
      star = at++;
      resume = i;
    } else if (i < text.length && (glob[at] === "?" || glob[at] === text[i])) {
      at++;
      i++;
    } else if (star >= 0 && resume < text.length) {
      at = star + 1;
      i = ++resume;
    } else return false;
  }
  return true;
}

/**
 * The app that a caller named.
 *
 * @param argument The argument that named it, for the message.
 * @throws AppFilesError INVALID_APP, APP_NOT_ALLOWED
 */
export function parseApp(text: string, policy: AppPolicy, argument = "app"): string {
  if (!isAppName(text)) {
    throw new AppFilesError("INVALID_APP", {
      argument,
      app: text,
      problem:
        text.length > 32
          ? "is longer than 32 characters"
          : "must be a lower-case letter followed by a-z, 0-9 and - alone",
    });
  }
  if (!policy.allows(text))
    throw new AppFilesError("APP_NOT_ALLOWED", { argument, app: text, allowed: policy.allowed });
  return text;
}
