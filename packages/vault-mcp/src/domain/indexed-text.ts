import { indexedWords } from "./search/words.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII, where the tokenizer finds the same words.
const ascii = /^[\u0001-\u007f]*$/;

/** A text as the full-text index takes it: its words as search compares them. */
export function indexedText(text: string): string {
  return ascii.test(text) ? text : indexedWords(text);
}

/** A text as a database keeps it: without NUL and halves of characters, of the same length. */
export function storableText(text: string): string {
  return text.replaceAll("\0", "\ufffd").toWellFormed();
}
