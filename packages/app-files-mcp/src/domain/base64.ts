import { AppFilesError } from "./errors.ts";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** From how many bytes on it matters that memory is given back. */
const ownPagesBytes = 1024 * 1024;

/** Characters that are decoded at once; whole groups of four. */
const sliceLength = 64 * 1024;

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
    const isUrl = bad[0] === "-" || bad[0] === "_";
    const hint = isUrl ? " (the URL alphabet is not accepted)" : "";
    const isDataUri = /^data:[^,]{0,200},/.test(plain);
    refuse(
      isDataUri
        ? "is a data URI; base64 is what follows its comma"
        : `has a character that base64 does not know at ${bad.index}${hint}`,
    );
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
  return decodeChecked(plain, Math.floor((length * 3) / 4));
}

/** Slice by slice: the decoder copies what it is given, two bytes a character. */
function decodeChecked(text: string, size: number): Uint8Array {
  const bytes = new Uint8Array(memoryOf(size));
  const view = Buffer.from(bytes.buffer);
  for (let at = 0; at < text.length; at += sliceLength) {
    view.write(text.slice(at, at + sliceLength), (at / 4) * 3, "base64");
  }
  return bytes;
}

/** A large buffer that could be resized is pages of its own, which go back to the system when it is freed. */
function memoryOf(size: number): ArrayBuffer {
  return size < ownPagesBytes ? new ArrayBuffer(size) : new ArrayBuffer(size, { maxByteLength: size });
}

function refuse(problem: string): never {
  throw new AppFilesError("INVALID_BASE64", { problem });
}
