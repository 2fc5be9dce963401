import { assertDirectory } from "../list-directory.ts";
import type { Space } from "../remote-files.ts";
import { isWithin } from "../remote-path.ts";
import { lstatWithinRoots, type Place, resolveWithinRoots } from "../roots.ts";
import type { Clock, SearchBudget } from "./budget.ts";
import { type MeasuredTree, measureTree } from "./measure-tree.ts";

export interface DiskUsage {
  readonly realPath: string;
  /** It lies in RAM: gone after a restart, and as large as memory allows. */
  readonly ram: boolean;
  /** undefined where the target does not tell. */
  readonly space: Space | undefined;
  readonly tree: MeasuredTree | undefined;
}

/** The room on the file system of a path and, with `tree`, what lies below the path. */
export async function diskUsage(
  place: Place,
  path: string,
  tree: boolean,
  services: { budget: SearchBudget; now: Clock; progress: (entries: number) => void },
  signal: AbortSignal,
): Promise<DiskUsage> {
  const realPath = await resolveWithinRoots(place, path, signal);
  if (tree) await assertDirectory(place, path, realPath, signal);
  // A path can be resolved though nothing is there.
  else await lstatWithinRoots(place, path, realPath, signal);
  const space = await place.files.space(realPath, signal);
  return {
    realPath,
    ram: isWithin(realPath, "/dev/shmem"),
    space,
    tree: tree ? await measureTree(place, realPath, services, signal) : undefined,
  };
}
