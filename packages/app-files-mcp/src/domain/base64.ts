import { AppFilesError } from "./errors.ts";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/**
 * The bytes of a base64 text: the standard alphabet, line breaks anywhere, padding or none. Anything else is
 * refused, also a text that stands for no whole bytes or whose last character has bits to spare.
 *
 * @throws AppFilesError INVALID_BASE64
 */
export function decodeBase64(text: string): Uint8Array {
  const plain = text.includes("\n") || text.includes("\r") ? text.replace(/\r?\n|\r/g, "") : text;
  const bad = /[^A-Za-z0-9+/=]/.exec(plain);
  if (bad !== null) {
    const url = bad[0] === "-" || bad[0] === "_" ? " (the URL alphabet is not accepted)" : "";
    refuse(`has a character that base64 does not know at ${bad.index}${url}`);
  }
  // By numbers and not by texts: these are megabytes, and each copy of them would count.
  const padding = plain.endsWith("==") ? 2 : plain.endsWith("=") ? 1 : 0;
  const length = plain.length - padding;
  const equals = plain.indexOf("=");
  if (equals >= 0 && equals < length) refuse("has = before its end");
  if (length % 4 === 1) refuse("is cut off: its last character stands for no whole byte");
  if (padding > 0 && plain.length % 4 !== 0) refuse("has too much or too little padding");
  // Decoders drop spare bits; where there are any, the text was damaged or cut.
  const spare = [0, 0, 0b1111, 0b11][length % 4] ?? 0;
  if ((alphabet.indexOf(plain[length - 1] ?? "A") & spare) !== 0)
    refuse("ends in bits that stand for nothing");
  const bytes = Buffer.from(plain, "base64");
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function refuse(problem: string): never {
  throw new AppFilesError("INVALID_BASE64", { problem });
}
