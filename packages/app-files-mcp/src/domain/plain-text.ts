import { AppFilesError } from "./errors.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const control = /[\u0000-\u001f\u007f-\u009f]/;
const controls = new RegExp(control, "g");

/**
 * Text of a caller's own in which no control character can be meant.
 *
 * @throws AppFilesError INVALID_ARGUMENT
 */
export function parsePlainText(text: string, argument: string): string {
  if (!control.test(text)) return text;
  throw new AppFilesError("INVALID_ARGUMENT", {
    argument,
    problem: "has a control character in it",
    next: `Call again with ${argument} without control characters.`,
  });
}

/** What a client calls itself, fit to be stored: without control characters, 200 characters at most. */
export function plainClientName(text: string): string {
  return text.replace(controls, " ").slice(0, 200).toWellFormed();
}
