import { addSizes } from "../add-sizes.ts";
import type { Entry } from "../entry.ts";
import { entryOf, statedEntry } from "../entry.ts";
import type { EntryDetail, EntryType } from "../entry-type.ts";
import { isQnxFsError, QnxFsError } from "../errors.ts";
import { displayName } from "../raw-name.ts";
import { joinPath } from "../remote-path.ts";
import type { Place } from "../roots.ts";

/** How much of a tree is taken on at once. */
export const treeLimits = { entries: 10_000, depth: 64 } as const;

export interface TreeEntry {
  readonly realPath: string;
  /** From the top of the tree, with `/` between. */
  readonly relative: string;
  readonly type: EntryType;
  readonly detail: EntryDetail | undefined;
  readonly size: number;
  readonly mtime: number | null;
  readonly mode: string | null;
}

export interface Tree {
  /** Everything below the top; a directory comes before what is in it. */
  readonly entries: readonly TreeEntry[];
  /** Of the regular files. */
  readonly bytes: number;
}

/**
 * Everything below a directory, never through links. Fails where it is too much. A name that is not UTF-8 and a directory
 * that may not be read fail it too, unless `leaveOut` takes them, by their paths from the top.
 */
export async function gatherTree(
  place: Place,
  path: string,
  top: string,
  signal: AbortSignal,
  leaveOut?: (relative: string, reason: string) => void,
): Promise<Tree> {
  const entries: TreeEntry[] = [];
  let bytes = 0;
  const waiting: { readonly directory: string; readonly relative: string; readonly depth: number }[] = [
    { directory: top, relative: "", depth: 1 },
  ];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { directory, relative, depth } = next;
    if (depth > treeLimits.depth) throw tooMuch(path, `it is more than ${treeLimits.depth} directories deep`);
    try {
      await readInto(directory, relative, depth);
    } catch (error) {
      if (relative === "" || leaveOut === undefined || !isQnxFsError(error, "PERMISSION_DENIED")) throw error;
      leaveOut(relative, "permission denied");
    }
  }

  async function readInto(directory: string, relative: string, depth: number): Promise<void> {
    const seen = new Set<string>();
    for await (const batch of place.files.readDirectory(directory, signal)) {
      for (const sent of batch) {
        if (seen.has(sent.name)) continue;
        seen.add(sent.name);
        const { text, lossy } = displayName(sent.name);
        const realPath = joinPath(directory, text);
        const inner = relative === "" ? text : `${relative}/${text}`;
        if (lossy) {
          if (leaveOut === undefined)
            throw new QnxFsError("NAME_NOT_UTF8", { target: place.target, path: realPath });
          leaveOut(inner, "a name that cannot be used");
          continue;
        }
        const entry: Entry =
          entryOf(sent, directory) ??
          statedEntry(sent.name, await place.files.lstat(realPath, signal), directory);
        const { type, detail, size, mtime, mode } = entry;
        entries.push({ realPath, relative: inner, type, detail, size: size ?? 0, mtime, mode });
        if (type === "file") bytes = addSizes(bytes, size ?? 0);
        if (type === "dir") waiting.push({ directory: realPath, relative: inner, depth: depth + 1 });
        if (entries.length > treeLimits.entries)
          throw tooMuch(path, `it holds over ${treeLimits.entries} entries`);
      }
    }
  }

  return { entries, bytes };
}

function tooMuch(path: string, why: string): QnxFsError {
  return new QnxFsError("INVALID_ARGUMENT", {
    argument: "",
    problem: `${JSON.stringify(path)} is too much for one call: ${why}`,
    next: "Pass its directories one by one as path.",
  });
}
