import { isWithin } from "./remote-path.ts";

export const entryTypes = ["file", "dir", "symlink", "char", "block", "fifo", "socket", "other"] as const;
export type EntryType = (typeof entryTypes)[number];

/** What QNX's own special files are: `shm` a shared memory object, `named` any other named special file. */
export type EntryDetail = "named" | "shm";

export interface TypedKind {
  readonly type: EntryType;
  readonly detail?: EntryDetail;
}

/** `st_mode & S_IFMT`. Source: struct stat in the QNX 6.5 to 8.0 library references; 0050000 is QNX's S_IFNAM. */
const typeBits = 0o170000;
const namedBits = 0o050000;
const typesByBits: ReadonlyMap<number, EntryType> = new Map([
  [0o010000, "fifo"],
  [0o020000, "char"],
  [0o040000, "dir"],
  [0o060000, "block"],
  [0o100000, "file"],
  [0o120000, "symlink"],
  [0o140000, "socket"],
]);

/** The letters of `ls -l`; `n` is QNX's named special file. */
const typesByLetter: Readonly<Record<string, EntryType>> = {
  "-": "file",
  d: "dir",
  l: "symlink",
  c: "char",
  b: "block",
  p: "fifo",
  s: "socket",
};

const sharedMemory = "/dev/shmem";

/**
 * What an entry is, by its mode bits, else by the first letter of its `ls -l` line; undefined where neither tells.
 * `directory` is the real path of the directory that holds it. QNX keeps a flag above the 16 bits; it is ignored.
 */
export function kindOf(
  mode: number | undefined,
  longName: string | undefined,
  directory: string,
): TypedKind | undefined {
  const bits = mode === undefined ? 0 : mode & typeBits;
  if (bits === namedBits) return named(directory);
  if (bits !== 0) return { type: typesByBits.get(bits) ?? "other" };
  const letter = /^[-dlcbpsn](?:[-rwxsStTlL+.@]{9,11}\s)/.exec(longName ?? "")?.[0]?.[0];
  if (letter === undefined) return undefined;
  return letter === "n" ? named(directory) : { type: typesByLetter[letter] ?? "other" };
}

function named(directory: string): TypedKind {
  return { type: "other", detail: isWithin(directory, sharedMemory) ? "shm" : "named" };
}

/** Permission bits as octal text, such as `0644`; null where the target does not tell. */
export function modeText(mode: number | undefined): string | null {
  return mode === undefined ? null : (mode & 0o7777).toString(8).padStart(4, "0");
}
