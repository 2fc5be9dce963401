import { makeDirectory } from "../changing/make-directory.ts";
import { QnxFsError } from "../errors.ts";
import type { LocalFiles } from "../local-files.ts";
import { hashLocal } from "../local-hash.ts";
import { lstatIfThere } from "../lstat-if-there.ts";
import { joinPath, normaliseRemotePath } from "../remote-path.ts";
import type { OpenTarget } from "../targets.ts";
import { copyFiles } from "./copy-files.ts";
import { hashAt } from "./hash-file.ts";
import { type PutRequest, type PutServices, putFile } from "./put-file.ts";
import { fileSource } from "./put-source.ts";
import { refuseTree, type Skipped, treeFiles } from "./tree-rules.ts";

const deepest = 64;
const directoryMode = 0o755;

export interface PutTree {
  readonly realPath: string;
  readonly files: number;
  /** Of `files`: those that were there with the same bytes, and were left alone. */
  readonly identical: number;
  readonly bytes: number;
  readonly skipped: readonly Skipped[];
}

interface LocalTree {
  /** From the top, with `/` between; a directory before what is in it. */
  readonly directories: readonly string[];
  readonly files: readonly { readonly relative: string; readonly realPath: string; readonly size: number }[];
  readonly skipped: readonly Skipped[];
}

/** Puts a directory of this host on a target, file by file; what is there with the same bytes is left alone. */
export async function putTree(
  target: OpenTarget,
  local: LocalFiles,
  top: string,
  request: PutRequest & { readonly most: number },
  services: PutServices,
  signal: AbortSignal,
): Promise<PutTree> {
  const tree = await walkLocal(local, top, signal);
  const bytes = tree.files.reduce((sum, { size }) => sum + size, 0);
  treeFiles("local_path", top, tree.files.length, bytes, request.most);
  const options = { parents: false, mode: directoryMode };
  const { realPath } = await makeDirectory(target, request.remotePath, options, signal);
  for (const relative of tree.directories) {
    await makeDirectory(target, joinPath(request.remotePath, relative), options, signal);
  }
  let done = 0;
  let identical = 0;
  await copyFiles(tree.files, signal, async ({ relative, realPath: source, size }, either) => {
    const remotePath = joinPath(request.remotePath, relative);
    const same = await isThere(target, joinPath(realPath, relative), local, source, size, either);
    if (same) identical++;
    else {
      const file = await fileSource(local, source);
      await putFile(target, file, { ...request, remotePath }, { ...services, progress: () => {} }, either);
    }
    done += size;
    services.progress(done, bytes);
  });
  return { realPath, files: tree.files.length, identical, bytes, skipped: tree.skipped };
}

/** Whether the target has a regular file there with the same bytes. */
async function isThere(
  { files }: OpenTarget,
  realPath: string,
  local: LocalFiles,
  source: string,
  size: number,
  signal: AbortSignal,
): Promise<boolean> {
  const there = await lstatIfThere(files, realPath, signal);
  if (there?.size !== size || ((there.mode ?? 0) & 0o170000) !== 0o100000) return false;
  const [ours, theirs] = await Promise.all([
    hashLocal(local, source),
    hashAt(files, realPath, size, signal).catch((error: unknown) => {
      if (error instanceof QnxFsError && error.code === "PERMISSION_DENIED") return undefined;
      throw error;
    }),
  ]);
  return ours === theirs;
}

async function walkLocal(local: LocalFiles, top: string, signal: AbortSignal): Promise<LocalTree> {
  const directories: string[] = [];
  const files: { relative: string; realPath: string; size: number }[] = [];
  const skipped: Skipped[] = [];
  async function walk(directory: string, above: string, depth: number): Promise<void> {
    if (depth > deepest) throw refuseTree("local_path", top, `it is more than ${deepest} directories deep`);
    for (const name of await local.list(directory)) {
      signal.throwIfAborted();
      const relative = above === "" ? name : `${above}/${name}`;
      const realPath = local.join(directory, name);
      const found = await local.stat(realPath);
      // A name that is not UTF-8 comes with U+FFFD in it, and is not found by it.
      if (found === undefined || normaliseRemotePath(`/${relative}`) !== `/${relative}`) {
        skipped.push({ path: relative, reason: "a name that cannot be sent" });
      } else if (found.kind === "dir") {
        directories.push(relative);
        await walk(realPath, relative, depth + 1);
      } else if (found.kind === "file") files.push({ relative, realPath, size: found.size });
      else skipped.push({ path: relative, reason: found.kind });
    }
  }
  await walk(top, "", 1);
  return { directories, files, skipped };
}
