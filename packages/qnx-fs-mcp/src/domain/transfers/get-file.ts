import { createHash, type Hash } from "node:crypto";
import { temporaryName } from "../changing/temporary-name.ts";
import { QnxFsError } from "../errors.ts";
import type { LocalFiles, LocalWriter } from "../local-files.ts";
import { beginHash } from "../local-hash.ts";
import { type OpenedFile, openReadable } from "../reading/open-readable.ts";
import type { Attributes } from "../remote-files.ts";
import { nameOf } from "../remote-path.ts";
import type { Place } from "../roots.ts";
import { hashRemote, pieces } from "./hash-file.ts";
import { openPart } from "./kept-part.ts";

export interface GetRequest {
  readonly remotePath: string;
  /** Absent: a new file in this server's own directory. */
  readonly localPath: string | undefined;
  readonly overwrite: boolean;
  /** Bytes. */
  readonly most: number;
  readonly resume: boolean;
  readonly verify: boolean;
  readonly allowGrowing: boolean;
}

export interface Got {
  readonly realPath: string;
  readonly localPath: string;
  readonly size: number;
  readonly sha256: string;
  /** Bytes that were there from a call before. */
  readonly resumedAt: number;
  readonly replaced: boolean;
  /** Its size on the target after it was copied, where it had grown. */
  readonly grownTo: number | undefined;
}

/** How often a part's sidecar is written again, for a process that is killed. */
const noteBytes = 16 * 1024 * 1024;

export type Progress = (done: number, total?: number) => void;

/** Copies a file to this host: beside its place first, checked, then under its name. */
export async function getFile(
  place: Place,
  local: LocalFiles,
  request: GetRequest,
  newId: () => string,
  progress: Progress,
  signal: AbortSignal,
): Promise<Got> {
  const opened = await openReadable(place, request.remotePath, signal);
  try {
    assertSize(opened.size ?? 0, request.most, request.remotePath);
    const localPath = request.localPath ?? (await local.placeFor(nameOf(opened.realPath)));
    const destination = request.localPath === undefined ? localPath : await local.locate(localPath);
    const replaced = await assertFree(local, destination, request.overwrite, nameOf(opened.realPath));
    await assertRoom(local, destination, opened.size ?? 0);
    const task = { place, local, opened, request, progress, signal };
    const temporary = request.resume
      ? `${destination}.part`
      : local.beside(destination, temporaryName(newId(), ".part"));
    const copied = request.resume ? await copyResumable(task, temporary) : await copyAtOnce(task, temporary);
    try {
      const grownTo = await check(task, copied);
      signal.throwIfAborted();
      await local.install(temporary, destination, request.overwrite);
      const { size, sha256, resumedAt } = copied;
      return {
        realPath: opened.realPath,
        localPath: destination,
        size,
        sha256,
        resumedAt,
        replaced,
        grownTo,
      };
    } catch (error) {
      // A whole file that is not what it should be is no use to a later call.
      await local.remove(temporary);
      throw error;
    } finally {
      if (request.resume) await local.remove(`${temporary}.json`);
    }
  } finally {
    opened.file.release();
  }
}

interface Task {
  readonly place: Place;
  readonly local: LocalFiles;
  readonly opened: OpenedFile;
  readonly request: GetRequest;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

interface Copied {
  readonly size: number;
  /** Of what came over the line. */
  readonly sha256: string;
  /** Whether the file reads back as what came over the line. */
  readonly intact: boolean;
  readonly resumedAt: number;
}

async function copyAtOnce(task: Task, temporary: string): Promise<Copied> {
  const writer = await task.local.create(temporary);
  try {
    return await copyFrom(task, temporary, 0, writer);
  } catch (error) {
    await task.local.remove(temporary);
    throw error;
  }
}

/** Goes on where a call before was cut off, when what is there is the beginning of what is on the target now. */
async function copyResumable(task: Task, temporary: string): Promise<Copied> {
  const part = await openPart(task.place.target, task.local, task.opened, temporary, task.signal);
  try {
    return await copyFrom(task, temporary, part.start, part.writer, part.keep);
  } catch (error) {
    // On a full disk there may be no room for it; what failed first is told.
    await part.keep(part.writer.stored).catch(() => {});
    throw error;
  }
}

/** Copies from a position on. `keep` hears now and then how far it is. */
async function copyFrom(
  { opened, local, progress, request, signal }: Task,
  temporary: string,
  start: number,
  writer: LocalWriter,
  keep?: (bytes: number) => Promise<void>,
): Promise<Copied> {
  let size = start;
  let kept = start;
  let intact = false;
  let hash: Hash;
  try {
    hash = start === 0 ? createHash("sha256") : await beginHash(local, temporary, start);
    for await (const piece of pieces(opened, start, signal)) {
      hash.update(piece);
      await writer.write(piece);
      size += piece.length;
      assertSize(size, request.most, request.remotePath);
      progress(size, opened.size);
      if (keep !== undefined && writer.stored - kept >= noteBytes) {
        kept = writer.stored;
        await keep(kept);
      }
    }
  } finally {
    intact = await writer.finish();
  }
  return { size, sha256: hash.digest("hex"), intact, resumedAt: start };
}

/** Holds the copy against the target and the disk. Gives the size that it has grown to meanwhile, where that is allowed. */
async function check(
  { place, opened, request, signal }: Task,
  { size, sha256, intact }: Copied,
): Promise<number | undefined> {
  const { target } = place;
  const path = request.remotePath;
  const after = await opened.file.stat(signal);
  const grown = growth(opened, size, after);
  if (grown === "changed" || (grown !== undefined && !request.allowGrowing)) {
    throw new QnxFsError("CHANGED_WHILE_READING", { target, path });
  }
  if (!intact) {
    const reason = "the file on this host holds other bytes than came over the line";
    throw new QnxFsError("VERIFY_FAILED", { target, path, reason });
  }
  if (request.verify && (await hashRemote(opened, size, signal)) !== sha256) {
    throw new QnxFsError("VERIFY_FAILED", { target, path, reason: "a second reading gave other bytes" });
  }
  return grown;
}

/** What became of a file while it was copied: nothing, its new size where it only grew, or something else. */
function growth(
  { size, attributes }: OpenedFile,
  copied: number,
  after: Attributes,
): number | "changed" | undefined {
  if (size === undefined) return undefined;
  if (copied !== size || (after.size ?? 0) < size) return "changed";
  if ((after.size ?? 0) > size) return after.size;
  return after.mtime === attributes.mtime ? undefined : "changed";
}

function assertSize(size: number, most: number, path: string): void {
  if (size <= most) return;
  throw new QnxFsError("INVALID_ARGUMENT", {
    argument: "max_mb",
    problem: `${JSON.stringify(path)} has ${size} bytes, more than the ${Math.round(most / 2 ** 20)} MiB of max_mb`,
    next: "Pass a larger max_mb if it is really wanted whole, or look into it with file_read.",
  });
}

async function assertRoom(local: LocalFiles, destination: string, needed: number): Promise<void> {
  const free = await local.room(destination);
  if (free !== undefined && free < needed) {
    throw new QnxFsError("NO_SPACE", { target: null, path: destination, needed, free });
  }
}

/** Whether a file will be replaced; refuses anything else that is in the way. */
async function assertFree(
  local: LocalFiles,
  destination: string,
  overwrite: boolean,
  name: string,
): Promise<boolean> {
  const there = await local.stat(destination);
  if (there === undefined) return false;
  if (there.kind === "file" && overwrite) return true;
  if (there.kind === "file") throw new QnxFsError("ALREADY_EXISTS", { target: null, path: destination });
  const why =
    there.kind === "dir"
      ? {
          reason: "it is a directory",
          instead: `Pass local_path ${JSON.stringify(local.join(destination, name))} for the copy in it.`,
        }
      : { reason: "it is not a regular file" };
  throw new QnxFsError("LOCAL_PATH_REFUSED", { path: destination, roots: [], add: destination, ...why });
}
