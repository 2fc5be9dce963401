import { type EntryType, kindOf } from "../entry-type.ts";
import { QnxFsError } from "../errors.ts";
import { lstatIfThere } from "../lstat-if-there.ts";
import { isWithin, joinPath, nameOf } from "../remote-path.ts";
import type { OpenTarget } from "../targets.ts";
import { explainRefusal } from "./explain-refusal.ts";
import {
  locateForCreating,
  locateForWriting,
  lstatHolder,
  lstatWritable,
  type WritablePath,
} from "./locate-for-writing.ts";
import { isLost, isThere, lookAgain, type Recovery } from "./recovery.ts";
import { replaceInSteps } from "./replace-in-steps.ts";
import { temporaryName } from "./temporary-name.ts";

export interface Moved {
  readonly from: string;
  readonly to: string;
  readonly type: EntryType | null;
  readonly replaced: boolean;
  /** Whether there was no moment without a file at `to`. */
  readonly atomic: boolean;
  /** A backup of what was replaced that could not be removed. */
  readonly leftBackup: string | undefined;
}

/** Renames a file, link or directory within the write roots; over a file only where `overwrite` says so. */
export async function movePath(
  target: OpenTarget,
  request: { readonly from: string; readonly to: string; readonly overwrite: boolean },
  services: Recovery & { readonly newId: () => string },
  signal: AbortSignal,
): Promise<Moved> {
  const from = await locateForWriting(target, request.from, signal);
  const to = await locateForCreating(target, request.to, signal);
  if (isWithin(to.realPath, from.realPath)) {
    throw new QnxFsError("INVALID_ARGUMENT", {
      argument: "new_path",
      problem: `${JSON.stringify(to.path)} is path itself or lies in it`,
      next: "Pass a new_path outside of path.",
    });
  }
  const source = await lstatWritable(target, from, signal);
  const type = kindOf(source.mode, undefined, from.directory)?.type ?? null;
  const there = await existingType(target, to, signal);
  const done = { from: from.realPath, to: to.realPath, type };
  const move = { from, to, backup: joinPath(to.directory, temporaryName(services.newId(), ".old")) };
  if (there === undefined) {
    await attempt(target, "rename", move, services, signal, async () => {
      await target.files.rename(from.realPath, to.realPath, signal);
      return undefined;
    });
    return { ...done, replaced: false, atomic: true, leftBackup: undefined };
  }
  if (!request.overwrite) throw new QnxFsError("ALREADY_EXISTS", { target: target.target, path: to.path });
  if (there !== "file" || type !== "file") {
    const [path, wrong] = there === "file" ? [from.path, type ?? "other"] : [to.path, there];
    throw new QnxFsError("NOT_A_FILE", { target: target.target, path, type: wrong });
  }
  let atomic = true;
  const leftBackup = await attempt(target, "replace", move, services, signal, async () => {
    atomic = await target.files.replace(from.realPath, to.realPath, signal);
    if (atomic) return undefined;
    return replaceInSteps(target, from.realPath, to, nameOf(move.backup), signal);
  });
  return { ...done, replaced: true, atomic, leftBackup };
}

async function existingType(
  target: OpenTarget,
  to: WritablePath,
  signal: AbortSignal,
): Promise<EntryType | undefined> {
  const there = await lstatIfThere(target.files, to.realPath, signal);
  if (there !== undefined) return kindOf(there.mode, undefined, to.directory)?.type ?? "other";
  await lstatHolder(target, to, signal);
  return undefined;
}

interface Move {
  readonly from: WritablePath;
  readonly to: WritablePath;
  /** Where what is replaced lies for a time, where the target cannot replace in one step. */
  readonly backup: string;
}

/**
 * Does one change and gives a backup that could not be removed. What the target refuses is explained. After a lost
 * connection it is found out whether the change was made; a file that was moved aside gets its name back.
 */
async function attempt(
  target: OpenTarget,
  change: "rename" | "replace",
  move: Move,
  services: Recovery,
  signal: AbortSignal,
  work: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const { path, realPath } = move.to;
  try {
    return await work();
  } catch (error) {
    if (!isLost(error)) throw await explainRefusal(target, error, { change, path, realPath }, signal);
    const moved = await lookAgain(target, error, services, (now, bounded) =>
      settleMove(now, move, bounded),
    ).catch((cause: unknown) => {
      const left = change === "replace" ? [move.backup] : [];
      const details = { target: target.target, path, left, changed: "perhaps" as const };
      throw new QnxFsError("OUTCOME_UNKNOWN", details, { cause });
    });
    if (!moved) throw error;
    return undefined;
  }
}

/** Whether a move was made; undoes or completes one that was half done. Fails where nobody can tell. */
async function settleMove(
  target: OpenTarget,
  { from, to, backup }: Move,
  signal: AbortSignal,
): Promise<boolean> {
  const [fromThere, toThere, backupThere] = await Promise.all(
    [from.realPath, to.realPath, backup].map((path) => isThere(target, path, signal)),
  );
  if (!fromThere && toThere) {
    if (backupThere) await target.files.removeFile(backup, signal);
    return true;
  }
  if (!fromThere || (toThere && backupThere)) throw new Error("it is neither as before nor as it should be");
  if (backupThere) await target.files.rename(backup, to.realPath, signal);
  return false;
}
