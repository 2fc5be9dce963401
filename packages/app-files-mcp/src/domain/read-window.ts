import { blockSize, isIntact, newlinesIn } from "./content.ts";
import { AppFilesError } from "./errors.ts";
import type { StoredContent } from "./store.ts";

/**
 * Bytes from `offset` on, `length` of them or fewer at the end, each block that they touch verified.
 *
 * @param into Where they may be put, for whoever reads much: with room for whole blocks.
 * @throws AppFilesError CORRUPT when what lies there is not what was written.
 */
export async function readVerified(
  content: StoredContent,
  offset: number,
  length: number,
  into?: Uint8Array,
): Promise<Uint8Array> {
  const { facts, record } = content;
  const end = Math.min(offset + length, facts.size);
  if (offset >= end) return new Uint8Array();
  const first = Math.floor(offset / blockSize);
  const last = Math.floor((end - 1) / blockSize);
  const start = first * blockSize;
  const bytes = await content.read(start, Math.min((last + 1) * blockSize, facts.size) - start, into);
  for (let index = first; index <= last; index++) {
    const at = index * blockSize - start;
    const block = bytes.subarray(at, at + blockSize);
    const whole = block.length === Math.min(blockSize, facts.size - index * blockSize);
    if (!whole || !isIntact(facts.blocks, index, block)) {
      throw new AppFilesError("CORRUPT", { path: record.path, version: record.version });
    }
  }
  return bytes.subarray(offset - start, end - start);
}

/** All bytes of a file, verified. */
export function readAll(content: StoredContent): Promise<Uint8Array> {
  return readVerified(content, 0, content.facts.size);
}

/**
 * Where a line begins, in bytes; lines count from 1, and the line after the last begins at the end. Reads one
 * block, whatever the size of the file.
 */
export async function lineStart(content: StoredContent, line: number): Promise<number> {
  const { facts } = content;
  let before = line - 1;
  if (before === 0) return 0;
  if (before > facts.newlines) return facts.size;
  for (let index = 0; ; index++) {
    const here = newlinesIn(facts.blocks, index);
    if (before > here) {
      before -= here;
      continue;
    }
    const block = await readVerified(content, index * blockSize, blockSize);
    let at = -1;
    for (; before > 0; before--) at = block.indexOf(0x0a, at + 1);
    return index * blockSize + at + 1;
  }
}
