import { kindOf, modeText } from "../entry-type.ts";
import { isQnxFsError, QnxFsError } from "../errors.ts";
import { lstatIfThere } from "../lstat-if-there.ts";
import { parentOf } from "../remote-path.ts";
import type { OpenTarget } from "../targets.ts";
import { explainRefusal } from "./explain-refusal.ts";
import { locateForCreating, locateForWriting, lstatHolder, type WritablePath } from "./locate-for-writing.ts";

export interface MadeDirectory {
  readonly realPath: string;
  /** The directories that are new, the outermost first; none where all were there. */
  readonly created: readonly string[];
  readonly mode: string | null;
}

/** Makes a directory, with those above it where `parents` says so; one that is there already stays as it is. */
export async function makeDirectory(
  target: OpenTarget,
  path: string,
  { parents, mode }: { readonly parents: boolean; readonly mode: number },
  signal: AbortSignal,
): Promise<MadeDirectory> {
  const missing: string[] = [];
  let at = path;
  let found: { readonly located: WritablePath; readonly mode: number | undefined } | undefined;
  for (;;) {
    found = await lookFor(target, at, signal).catch((error: unknown) => {
      // What is missing may be the directory of `at`; going up ends at a root, which must be there.
      if (parents && isQnxFsError(error, "NOT_FOUND") && !isRoot(target, parentOf(at))) return undefined;
      throw error;
    });
    if (found?.mode !== undefined) break;
    missing.unshift(at);
    if (found !== undefined && !parents) break;
    if (isRoot(target, parentOf(at))) break;
    at = parentOf(at);
  }
  const created: string[] = [];
  for (const each of missing) {
    const { realPath } = await locateForWriting(target, each, signal);
    if (await makeOne(target, each, realPath, mode, signal)) created.push(realPath);
  }
  const { realPath } = await locateForWriting(target, path, signal);
  const now = await target.files.lstat(realPath, signal);
  return { realPath, created, mode: modeText(now.mode) };
}

/** Where a path lies and, where a directory is there, its mode. */
async function lookFor(target: OpenTarget, path: string, signal: AbortSignal) {
  const located = await locateForCreating(target, path, signal);
  const parent = await lstatHolder(target, located, signal);
  const parentType = kindOf(parent.mode, undefined, located.directory)?.type;
  if (parentType !== undefined && parentType !== "dir") {
    const details = { target: target.target, path: located.directory, type: parentType };
    throw new QnxFsError("NOT_A_DIRECTORY", details);
  }
  const there = await lstatIfThere(target.files, located.realPath, signal);
  if (there === undefined) return { located, mode: undefined };
  assertDirectory(target, path, there.mode, located.directory);
  return { located, mode: there.mode ?? 0 };
}

function assertDirectory(
  { target }: OpenTarget,
  path: string,
  mode: number | undefined,
  parent: string,
): void {
  const type = kindOf(mode, undefined, parent)?.type;
  if (type === "dir" || type === undefined) return;
  if (type === "symlink") throw new QnxFsError("IS_LINK", { target, path });
  throw new QnxFsError("ALREADY_EXISTS", { target, path });
}

/** Makes one directory; false where another one made it in the meantime. */
async function makeOne(
  target: OpenTarget,
  path: string,
  realPath: string,
  mode: number,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await target.files.makeDirectory(realPath, mode, signal);
    // The target's umask took bits away.
    await target.files.setMode(realPath, mode, signal);
    return true;
  } catch (error) {
    if (!isQnxFsError(error, "REFUSED_BY_TARGET")) throw error;
    const there = await target.files.lstat(realPath, signal).catch(() => undefined);
    if (there !== undefined && kindOf(there.mode, undefined, parentOf(realPath))?.type === "dir")
      return false;
    throw await explainRefusal(target, error, { change: "make directory", path, realPath }, signal);
  }
}

function isRoot({ writeRoots }: OpenTarget, path: string): boolean {
  return writeRoots.configured.includes(path) || writeRoots.resolved.includes(path);
}
