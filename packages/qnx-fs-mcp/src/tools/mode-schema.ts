import * as z from "zod";

/** Permission bits as an argument, in octal text. */
export function modeArgument(description: string) {
  return z
    .string()
    .regex(/^0?[0-7]{3,4}$/, "must be permission bits in octal such as 0755")
    .describe(`${description}, octal such as 0755`);
}

export function parseMode(text: string): number {
  return Number.parseInt(text, 8);
}
