import { gatherTree, type Tree, type TreeEntry } from "../changing/gather-tree.ts";
import { temporaryName } from "../changing/temporary-name.ts";
import { type FailureCode, isQnxFsError, QnxFsError } from "../errors.ts";
import type { LocalFiles } from "../local-files.ts";
import { isProcessFile } from "../reading/readable-kind.ts";
import { isWithin, nameOf } from "../remote-path.ts";
import type { Place } from "../roots.ts";
import { copyFiles } from "./copy-files.ts";
import { type GetRequest, getFile, type Progress } from "./get-file.ts";
import { refuseTree, type Skipped, treeFiles } from "./tree-rules.ts";

/** Why a file of a tree is left out: to fail with them all for its sake would help nobody. */
const unreadable: Readonly<Partial<Record<FailureCode, string>>> = {
  PERMISSION_DENIED: "permission denied",
  NOT_FOUND: "it is gone meanwhile",
};

export interface GotTree {
  readonly realPath: string;
  readonly localPath: string;
  readonly files: number;
  readonly bytes: number;
  readonly skipped: readonly Skipped[];
}

/**
 * Copies a directory to this host. Into a new place it comes at once or not at all; with `overwrite` into one that is
 * there, file by file. What the user may not read is left out and told. `realPath` is the directory's, as it was checked.
 */
export async function getTree(
  place: Place,
  local: LocalFiles,
  realPath: string,
  request: GetRequest,
  newId: () => string,
  progress: Progress,
  signal: AbortSignal,
): Promise<GotTree> {
  const { remotePath } = request;
  if (isProcessFile(realPath) || (isWithin(realPath, "/dev") && !isWithin(realPath, "/dev/shmem"))) {
    throw refuseTree("remote_path", remotePath, "what is in it are no files to copy");
  }
  const leftOut: Skipped[] = [];
  const leaveOut = (path: string, reason: string): void => {
    leftOut.push({ path, reason });
  };
  const tree = await gatherTree(place, remotePath, realPath, signal, leaveOut);
  const { files, skipped } = choose(local, tree);
  treeLimitsHold(tree, files, request);
  const destination =
    request.localPath === undefined
      ? await local.placeFor(nameOf(realPath) || "root")
      : await local.locate(request.localPath);
  const there = await local.stat(destination);
  if (there !== undefined && !(there.kind === "dir" && request.overwrite)) {
    throw new QnxFsError("ALREADY_EXISTS", { target: null, path: destination });
  }
  const into = there === undefined ? local.beside(destination, temporaryName(newId(), ".part")) : destination;
  let bytes = 0;
  let copied = 0;
  try {
    if (there === undefined) await local.makeDirectory(into);
    for (const { relative, type } of tree.entries) {
      const directory = local.join(into, ...relative.split("/"));
      if (type === "dir" && (await local.stat(directory))?.kind !== "dir")
        await local.makeDirectory(directory);
    }
    await copyFiles(files, signal, async (entry, either) => {
      const localPath = local.join(into, ...entry.relative.split("/"));
      const one = { ...request, remotePath: entry.realPath, localPath, resume: false };
      const before = bytes;
      try {
        const { size } = await getFile(place, local, one, newId, () => progress(before, tree.bytes), either);
        bytes += size;
        copied++;
      } catch (error) {
        const reason = isQnxFsError(error) && !either.aborted ? unreadable[error.code] : undefined;
        if (reason === undefined) throw error;
        leaveOut(entry.relative, reason);
      }
    });
    signal.throwIfAborted();
    if (there === undefined) await local.install(into, destination, false);
  } catch (error) {
    if (there === undefined) await local.remove(into);
    throw error;
  }
  return { realPath, localPath: destination, files: copied, bytes, skipped: [...leftOut, ...skipped] };
}

function choose(
  local: LocalFiles,
  { entries }: Tree,
): { files: readonly TreeEntry[]; skipped: readonly Skipped[] } {
  const files: TreeEntry[] = [];
  const skipped: Skipped[] = [];
  for (const entry of entries) {
    const { relative, type, detail } = entry;
    if (!relative.split("/").every((name) => local.takesName(name))) {
      if (type === "dir") throw refuseTree("remote_path", relative, "this host cannot have such a name");
      skipped.push({ path: relative, reason: "this host cannot have such a name" });
    } else if (type === "file" || detail === "shm") files.push(entry);
    else if (type !== "dir") skipped.push({ path: relative, reason: type === "symlink" ? "link" : type });
  }
  return { files, skipped };
}

function treeLimitsHold(
  { bytes }: Tree,
  files: readonly TreeEntry[],
  { most, remotePath }: GetRequest,
): void {
  treeFiles("remote_path", remotePath, files.length, bytes, most);
}
