import { kindOf } from "../entry-type.ts";
import { QnxFsError } from "../errors.ts";
import type { LocalFiles, LocalStat } from "../local-files.ts";
import { hashLocal } from "../local-hash.ts";
import { parentOf } from "../remote-path.ts";
import { lstatWithinRoots, type Place, resolveWithinRoots } from "../roots.ts";
import { compareTrees, type TreeComparison } from "./compare-trees.ts";
import { type HashOutcome, hashPaths } from "./hash-path.ts";

/** How a path of the target and one of this host compare. */
export interface LocalComparison {
  readonly localPath: string;
  readonly local: LocalStat;
  /** In hex; of a file. */
  readonly localSha256: string | undefined;
  readonly tree: TreeComparison | undefined;
}

export interface Compared {
  readonly outcome: HashOutcome;
  /** undefined where the target's side could not be had. */
  readonly comparison: LocalComparison | undefined;
}

/** Compares a file with a file of this host, or a directory with a directory. */
export async function compareWithLocal(
  place: Place,
  path: string,
  local: LocalFiles,
  localPath: string,
  read: (bytes: number) => void,
  deadline: AbortSignal,
  signal: AbortSignal,
): Promise<Compared> {
  const located = await local.locate(localPath);
  const here = await local.stat(located);
  if (here === undefined) {
    const reason = "there is no such file or directory";
    throw new QnxFsError("LOCAL_PATH_REFUSED", { path: localPath, roots: [], add: located, reason });
  }
  if (here.kind !== "dir") {
    const [outcome] = await hashPaths(place, [path], read, deadline, signal);
    if (outcome?.hashed === undefined)
      return { outcome: outcome ?? { path, late: true }, comparison: undefined };
    const localSha256 = await hashLocal(local, located);
    return { outcome, comparison: { localPath: located, local: here, localSha256, tree: undefined } };
  }
  try {
    const realPath = await resolveWithinRoots(place, path, signal);
    const { mode } = await lstatWithinRoots(place, path, realPath, signal);
    const type = kindOf(mode, undefined, parentOf(realPath))?.type ?? "other";
    if (type !== "dir") throw new QnxFsError("NOT_A_DIRECTORY", { target: place.target, path, type });
    const tree = await compareTrees(place, realPath, local, located, read, deadline, signal);
    return {
      outcome: { path },
      comparison: { localPath: located, local: here, localSha256: undefined, tree },
    };
  } catch (error) {
    if (!(error instanceof QnxFsError) || error.code === "CONNECTION_LOST") throw error;
    if (error.code === "LOCAL_PATH_REFUSED") throw error;
    return { outcome: { path, failure: error }, comparison: undefined };
  }
}
