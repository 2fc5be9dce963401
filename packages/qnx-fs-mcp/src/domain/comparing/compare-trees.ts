import { isQnxFsError } from "../errors.ts";
import type { LocalFiles } from "../local-files.ts";
import { hashLocal } from "../local-hash.ts";
import { mapInParallel } from "../parallel.ts";
import { displayPath } from "../raw-name.ts";
import { joinPath } from "../remote-path.ts";
import type { Place } from "../roots.ts";
import { newWalkReport, type WalkReport, walkTree } from "../searching/walk-tree.ts";
import { hashPath } from "./hash-path.ts";

const mostEntries = 50_000;
const filesAtOnce = 4;

/** How an entry of the target differs from the host: not there, other contents or another kind, or only there. */
export interface Difference {
  /** Below the two directories, names joined by `/`. */
  readonly path: string;
  readonly state: "missing" | "different" | "extra";
}

export interface TreeComparison {
  /** Files of which the contents were compared and are equal. */
  readonly equal: number;
  readonly differences: readonly Difference[];
  /** What could not be compared: neither file nor directory, not readable, or no time was left. */
  readonly notCompared: readonly string[];
  readonly report: WalkReport;
}

interface Side {
  readonly kind: "file" | "dir" | "other";
  readonly size: number | null;
}

/** Compares a directory of the target with one of the host, by kind, size and then contents. Links are not followed. */
export async function compareTrees(
  place: Place,
  realPath: string,
  local: LocalFiles,
  localPath: string,
  read: (bytes: number) => void,
  deadline: AbortSignal,
  signal: AbortSignal,
): Promise<TreeComparison> {
  const report = newWalkReport();
  const remote = new Map<string, Side>();
  const enough = (entries: number): boolean => entries >= mostEntries || deadline.aborted;
  for await (const { path, entry } of walkTree(place, realPath, { enough }, report, signal)) {
    const kind =
      entry.type === "file" || entry.detail === "shm" ? "file" : entry.type === "dir" ? "dir" : "other";
    remote.set(displayPath(path).text, { kind, size: entry.size });
  }
  const host = await listLocal(local, localPath, signal);
  const differences: Difference[] = [];
  const notCompared: string[] = [];
  const sameSize: string[] = [];
  const sawAll = !report.stopped && report.unreadableCount === 0;
  /** What is on one side alone; what it holds is not told as well. */
  const told = new Set<string>();
  const tell = (path: string, state: "missing" | "extra"): void => {
    told.add(path);
    differences.push({ path, state });
  };
  for (const path of [...new Set([...remote.keys(), ...host.keys()])].sort()) {
    const there = remote.get(path);
    const here = host.get(path);
    if (isBelow(told, path)) continue;
    if (there === undefined) {
      // Where not all of the target was seen, nothing is known to be missing.
      if (sawAll) tell(path, "missing");
      else notCompared.push(path);
    } else if (here === undefined) tell(path, "extra");
    else if (there.kind !== here.kind) differences.push({ path, state: "different" });
    else if (there.kind === "other") notCompared.push(path);
    else if (there.kind === "file" && there.size !== here.size)
      differences.push({ path, state: "different" });
    else if (there.kind === "file") sameSize.push(path);
  }
  let equal = 0;
  const both = AbortSignal.any([signal, deadline]);
  await mapInParallel(sameSize, filesAtOnce, async (path) => {
    if (deadline.aborted) {
      notCompared.push(path);
      return;
    }
    try {
      const { sha256 } = await hashPath(place, joinPath(realPath, path), read, both);
      if (sha256 === (await hashLocal(local, local.join(localPath, ...path.split("/"))))) equal++;
      else differences.push({ path, state: "different" });
    } catch (error) {
      signal.throwIfAborted();
      const mayGoOn = deadline.aborted || (isQnxFsError(error) && error.code !== "CONNECTION_LOST");
      if (!mayGoOn) throw error;
      notCompared.push(path);
    }
  });
  differences.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { equal, differences, notCompared: notCompared.sort(), report };
}

async function listLocal(
  local: LocalFiles,
  root: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Side>> {
  const found = new Map<string, Side>();
  async function visit(directory: string, prefix: string): Promise<void> {
    for (const name of await local.list(directory)) {
      signal.throwIfAborted();
      if (found.size >= mostEntries) return;
      const place = local.join(directory, name);
      const about = await local.stat(place);
      if (about === undefined) continue;
      const path = `${prefix}${name}`;
      const kind = about.kind === "link" ? "other" : about.kind;
      found.set(path, { kind, size: about.size });
      if (kind === "dir") await visit(place, `${path}/`);
    }
  }
  await visit(root, "");
  return found;
}

function isBelow(holders: ReadonlySet<string>, path: string): boolean {
  for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
    if (holders.has(path.slice(0, slash))) return true;
  }
  return false;
}
