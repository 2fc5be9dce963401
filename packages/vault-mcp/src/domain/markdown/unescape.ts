import { characterReferenceAt } from "./character-references.ts";

const punctuation = /[!-/:-@[-`{-~]/;

/** Whether a backslash before the character makes it a plain one. */
export function isEscapable(char: string): boolean {
  return char.length === 1 && punctuation.test(char);
}

/** What a link's destination means, with where the pieces come from: backslashes taken away, references decoded. */
export function unescapeMarkdown(text: string): string {
  if (!/[\\&]/.test(text)) return text;
  let plain = "";
  for (let at = 0; at < text.length; ) {
    const { value, end } = unescapedAt(text, at);
    plain += value;
    at = end;
  }
  return plain;
}

/** The character that begins at a place: itself, an escaped one, or what a reference stands for. */
export function unescapedAt(text: string, at: number): { value: string; end: number } {
  const char = text.charAt(at);
  if (char === "\\" && isEscapable(text.charAt(at + 1))) return { value: text.charAt(at + 1), end: at + 2 };
  const reference = char === "&" ? characterReferenceAt(text, at) : undefined;
  return reference ?? { value: char, end: at + 1 };
}
