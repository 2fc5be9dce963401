import { createHash } from "node:crypto";
import { AppFilesError } from "./errors.ts";
import { parsePlainText } from "./plain-text.ts";
import type { Command } from "./store.ts";

/** The command of a call that has an id; `asked` is all that the call asks for, its kind first. */
export function commandOf(id: string | undefined, asked: readonly unknown[]): Command | undefined {
  if (id === undefined) return undefined;
  const fingerprint = createHash("sha256")
    .update(JSON.stringify(asked, (_, value) => value ?? null))
    .digest("hex");
  return { id, fingerprint };
}

/** Characters of an id. */
const idLength = 200;

/** @throws AppFilesError INVALID_ARGUMENT for an id that is empty, too long or has control characters. */
export function parseCommandId(text: string | undefined): string | undefined {
  if (text === undefined || (text !== "" && text.length <= idLength)) {
    return text === undefined ? undefined : parsePlainText(text, "command_id");
  }
  throw new AppFilesError("INVALID_ARGUMENT", {
    argument: "command_id",
    problem: text === "" ? "is empty" : `has ${text.length} characters, ${idLength} are allowed`,
    next: `Call again with command_id of 1 to ${idLength} characters, or without it.`,
  });
}
