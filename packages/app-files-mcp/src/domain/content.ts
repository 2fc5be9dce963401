import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";

/** Bytes of a block: each has a hash and a count of newlines of its own, so that a window can be verified alone. */
export const blockSize = 256 * 1024;

const hashBytes = 32;
const entryBytes = hashBytes + 4;

/** What is known of some bytes, computed when they are written. */
export interface ContentFacts {
  /** Lower-case hex. */
  readonly sha256: string;
  readonly size: number;
  /** UTF-8 throughout, without NUL. */
  readonly isText: boolean;
  /** Newline characters (LF) in all. */
  readonly newlines: number;
  readonly endsWithNewline: boolean;
  /** For each block its SHA-256 (32 bytes) and its newlines (4 bytes, big-endian). */
  readonly blocks: Uint8Array;
}

export function describeContent(bytes: Uint8Array): ContentFacts {
  const count = Math.ceil(bytes.length / blockSize);
  const blocks = Buffer.alloc(count * entryBytes);
  let newlines = 0;
  for (let index = 0; index < count; index++) {
    const block = bytes.subarray(index * blockSize, (index + 1) * blockSize);
    const found = countNewlines(block);
    newlines += found;
    hash(block).copy(blocks, index * entryBytes);
    blocks.writeUInt32BE(found, index * entryBytes + hashBytes);
  }
  // Of a content of one block, that block's hash is the whole one's.
  const whole = count === 1 ? blocks.subarray(0, hashBytes) : hash(bytes);
  return {
    sha256: whole.toString("hex"),
    size: bytes.length,
    isText: isUtf8(bytes) && !bytes.includes(0),
    newlines,
    endsWithNewline: bytes.at(-1) === 0x0a,
    blocks: new Uint8Array(blocks.buffer, blocks.byteOffset, blocks.byteLength),
  };
}

function hash(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}

function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) count++;
  return count;
}

/** Lines of a text: what follows the last newline counts when there is anything. */
export function lineCount(facts: ContentFacts): number {
  return facts.newlines + (facts.size > 0 && !facts.endsWithNewline ? 1 : 0);
}

/** Newlines in one block. */
export function newlinesIn(blocks: Uint8Array, index: number): number {
  const at = index * entryBytes + hashBytes;
  return new DataView(blocks.buffer, blocks.byteOffset + at, 4).getUint32(0);
}

/** Whether a block is what was written. */
export function isIntact(blocks: Uint8Array, index: number, block: Uint8Array): boolean {
  const expected = blocks.subarray(index * entryBytes, index * entryBytes + hashBytes);
  return expected.length === hashBytes && hash(block).equals(expected);
}
