import { kindOf } from "../entry-type.ts";
import { QnxFsError } from "../errors.ts";
import type { LocalFiles } from "../local-files.ts";
import { parentOf } from "../remote-path.ts";
import { type Place, resolveWithinRoots } from "../roots.ts";
import { type GetRequest, getFile, type Progress } from "./get-file.ts";
import { getTree } from "./get-tree.ts";
import type { Skipped } from "./tree-rules.ts";

export interface GotPath {
  readonly realPath: string;
  readonly localPath: string;
  readonly size: number;
  readonly sha256: string | null;
  readonly files: number;
  readonly replaced: boolean;
  readonly resumedAt: number;
  readonly grownTo: number | undefined;
  readonly skipped: readonly Skipped[];
}

/** Copies what is at a path to this host: a file, or a directory where `recursive` says so. */
export async function getPath(
  place: Place,
  local: LocalFiles,
  request: GetRequest & { readonly recursive: boolean },
  services: { readonly newId: () => string; readonly progress: Progress; readonly mayReplace: boolean },
  signal: AbortSignal,
): Promise<GotPath> {
  const { newId, progress, mayReplace } = services;
  if (request.overwrite && !mayReplace) {
    throw refuse(
      "overwrite",
      "this server runs with --read-only and replaces nothing",
      "Pass another local_path.",
    );
  }
  if (request.recursive) {
    const { remotePath } = request;
    const realPath = await resolveWithinRoots(place, remotePath, signal);
    const { mode } = await place.files.lstat(realPath, signal);
    if (kindOf(mode, undefined, parentOf(realPath))?.type === "dir") {
      if (request.resume) throw refuse("resume", "only a single file can be resumed", "Leave out resume.");
      const tree = await getTree(place, local, realPath, request, newId, progress, signal);
      const { bytes, ...rest } = tree;
      return { ...rest, size: bytes, sha256: null, replaced: false, resumedAt: 0, grownTo: undefined };
    }
  }
  const got = await getFile(place, local, request, newId, progress, signal);
  return { ...got, files: 1, skipped: [] };
}

function refuse(argument: string, problem: string, next: string): QnxFsError {
  return new QnxFsError("INVALID_ARGUMENT", { argument, problem, next });
}
