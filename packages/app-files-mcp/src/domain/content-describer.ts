import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { blockSize, type ContentFacts, describeContent } from "./content.ts";

/** Works out the facts of a content that comes piece by piece, holding one block of it at a time. */
export interface ContentDescriber {
  /** The next bytes, any number of them. */
  add(bytes: Uint8Array): void;
  /** The facts of all bytes added; the same as `describeContent` gives of them at once. */
  finish(): ContentFacts;
}

export function createContentDescriber(): ContentDescriber {
  const whole = createHash("sha256");
  const block = Buffer.alloc(blockSize);
  const blocks: Uint8Array[] = [];
  let filled = 0;
  let size = 0;
  let newlines = 0;
  let isText = true;
  let endsWithNewline = false;
  /** The beginning of a character that the next block ends. */
  let begun = Buffer.alloc(0);

  function endBlock(isLast: boolean): void {
    const bytes = block.subarray(0, filled);
    const facts = describeContent(bytes);
    blocks.push(facts.blocks);
    newlines += facts.newlines;
    endsWithNewline = facts.endsWithNewline;
    if (isText) {
      const text = begun.length === 0 ? bytes : Buffer.concat([begun, bytes]);
      const end = isLast ? text.length : wholeCharacters(text);
      isText = isUtf8(text.subarray(0, end)) && !bytes.includes(0);
      begun = Buffer.from(text.subarray(end));
    }
    filled = 0;
  }

  return {
    add(bytes) {
      whole.update(bytes);
      size += bytes.length;
      for (let at = 0; at < bytes.length; ) {
        if (filled === blockSize) endBlock(false);
        const part = bytes.subarray(at, at + blockSize - filled);
        block.set(part, filled);
        filled += part.length;
        at += part.length;
      }
    },
    finish() {
      if (filled > 0) endBlock(true);
      const sha256 = whole.digest("hex");
      return {
        sha256,
        size,
        isText,
        newlines,
        endsWithNewline,
        blocks: new Uint8Array(Buffer.concat(blocks)),
      };
    },
  };
}

/** The length of a text without the character that its end breaks off. */
function wholeCharacters(text: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, text.length); back++) {
    const byte = text[text.length - back] ?? 0;
    // Going back over continuation bytes to the one that says how long its character is.
    if (byte >= 0x80 && byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? text.length - back : text.length;
  }
  return text.length;
}
