import { createHash } from "node:crypto";
import { QnxFsError } from "../errors.ts";

/** What a watch remembers from one call to the next. */
export interface WatchMemory {
  /** The name of the kept state. */
  readonly state: string;
  /** The latest time of modification that was seen, by the target's clock; for where the state is gone. */
  readonly latest: number;
}

/** What is watched; a cursor serves for that alone. */
export interface WatchedThing {
  readonly target: string;
  readonly path: string;
  readonly pattern: string | undefined;
}

const version = 1;

export function writeWatchCursor(thing: WatchedThing, { state, latest }: WatchMemory): string {
  return Buffer.from(JSON.stringify([version, digest(thing), state, latest])).toString("base64url");
}

/** Reads a cursor that `writeWatchCursor` made for the same thing. Fails with INVALID_ARGUMENT. */
export function readWatchCursor(thing: WatchedThing, text: string): WatchMemory {
  const parts = parse(text);
  if (parts === undefined) throw refusal("it is no watch_cursor of this server, or was cut");
  const [, of, state, latest] = parts;
  if (of !== digest(thing)) throw refusal("it belongs to another target, path or pattern");
  return { state, latest };
}

function parse(text: string): readonly [number, string, string, number] | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    if (!Array.isArray(parts) || parts.length !== 4 || parts[0] !== version) return undefined;
    const [, of, state, latest] = parts as unknown[];
    const fits = typeof of === "string" && typeof state === "string" && Number.isSafeInteger(latest);
    return fits ? [version, of, state, latest as number] : undefined;
  } catch {
    return undefined;
  }
}

function refusal(problem: string): QnxFsError {
  return new QnxFsError("INVALID_ARGUMENT", {
    argument: "since",
    problem,
    next: "Call again without since to begin now, then pass watch_cursor of each answer with the same target, path and pattern.",
  });
}

function digest({ target, path, pattern }: WatchedThing): string {
  return createHash("sha256")
    .update(JSON.stringify([target, path, pattern ?? null]))
    .digest("base64url")
    .slice(0, 12);
}
