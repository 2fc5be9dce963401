import { AppFilesError } from "./errors.ts";

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
  const unpadded = plain.replace(/={1,2}$/, "");
  if (unpadded.includes("=")) refuse("has = before its end");
  if (unpadded.length % 4 === 1) refuse("is cut off: its last character stands for no whole byte");
  if (plain.length !== unpadded.length && plain.length % 4 !== 0)
    refuse("has too much or too little padding");
  const bytes = Buffer.from(unpadded, "base64");
  // Decoders drop spare bits; a text that does not come back was damaged or cut.
  if (bytes.toString("base64").replace(/=+$/, "") !== unpadded) refuse("ends in bits that stand for nothing");
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function refuse(problem: string): never {
  throw new AppFilesError("INVALID_BASE64", { problem });
}
