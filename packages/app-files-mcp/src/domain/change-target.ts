import { commandOf, parseCommandId } from "./command.ts";
import { AppFilesError } from "./errors.ts";
import { parsePath } from "./file-path.ts";
import { parsePlainText, plainClientName } from "./plain-text.ts";

/** What a change carries besides what it asks for: whose it is, and its command where it has an id. */
export function changeBy(client: string, commandId: string | undefined, asked: readonly unknown[]) {
  return { client: plainClientName(client), command: commandOf(parseCommandId(commandId), asked) };
}

export function parsePrefix(prefix: string): string {
  return parsePlainText(prefix, "prefix").normalize("NFC");
}

/**
 * The path or the prefix that a call means.
 *
 * @param belongs Arguments that go with one of the two alone, by name.
 * @throws AppFilesError INVALID_ARGUMENT when there is not exactly one of them, INVALID_PATH
 */
export function targetOf(
  { path, prefix }: { readonly path?: string | undefined; readonly prefix?: string | undefined },
  belongs: { readonly path: Record<string, unknown>; readonly prefix: Record<string, unknown> },
): { readonly path: string } | { readonly prefix: string } {
  if ((path === undefined) === (prefix === undefined)) {
    refuse(
      path === undefined ? "path" : "prefix",
      path === undefined ? "is missing, and prefix too" : "cannot be used together with path",
      "Call again with either path or prefix.",
    );
  }
  const [own, other] = path === undefined ? (["prefix", "path"] as const) : (["path", "prefix"] as const);
  for (const [name, value] of Object.entries(belongs[other])) {
    if (value === undefined) continue;
    refuse(
      name,
      `goes with ${other} alone`,
      `Call again without ${name}, or with ${other} in place of ${own}.`,
    );
  }
  return path === undefined ? { prefix: parsePrefix(prefix ?? "") } : { path: parsePath(path) };
}

function refuse(argument: string, problem: string, next: string): never {
  throw new AppFilesError("INVALID_ARGUMENT", { argument, problem, next });
}
