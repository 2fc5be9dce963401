import { type EntryType, kindOf } from "../entry-type.ts";
import { isQnxFsError, QnxFsError } from "../errors.ts";
import { isWithin } from "../remote-path.ts";
import type { OpenTarget } from "../targets.ts";
import { explainRefusal } from "./explain-refusal.ts";
import { locateForWriting, lstatWritable, type WritablePath } from "./locate-for-writing.ts";
import { replaceInSteps } from "./replace-in-steps.ts";

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
  temporaryName: (suffix: ".part" | ".old") => string,
  signal: AbortSignal,
): Promise<Moved> {
  const from = await locateForWriting(target, request.from, signal);
  const to = await locateForWriting(target, request.to, signal);
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
  if (there === undefined) {
    await attempt(target, "rename", to, signal, () =>
      target.files.rename(from.realPath, to.realPath, signal),
    );
    return { ...done, replaced: false, atomic: true, leftBackup: undefined };
  }
  if (!request.overwrite) throw new QnxFsError("ALREADY_EXISTS", { target: target.target, path: to.path });
  if (there !== "file" || type !== "file") {
    const [path, wrong] = there === "file" ? [from.path, type ?? "other"] : [to.path, there];
    throw new QnxFsError("NOT_A_FILE", { target: target.target, path, type: wrong });
  }
  const outcome = await attempt(target, "replace", to, signal, async () => {
    const atomic = await target.files.replace(from.realPath, to.realPath, signal);
    const leftBackup = atomic
      ? undefined
      : await replaceInSteps(target, from.realPath, to, temporaryName(".old"), signal);
    return { atomic, leftBackup };
  });
  return { ...done, replaced: true, ...outcome };
}

async function existingType(
  target: OpenTarget,
  to: WritablePath,
  signal: AbortSignal,
): Promise<EntryType | undefined> {
  try {
    const { mode } = await target.files.lstat(to.realPath, signal);
    return kindOf(mode, undefined, to.directory)?.type ?? "other";
  } catch (error) {
    if (isQnxFsError(error, "NOT_FOUND")) {
      await target.files.lstat(to.directory, signal);
      return undefined;
    }
    throw error;
  }
}

/** Does one change; what the target refuses is explained, and after a lost connection nobody knows. */
async function attempt<Value>(
  target: OpenTarget,
  change: "rename" | "replace",
  { path, realPath }: WritablePath,
  signal: AbortSignal,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (isQnxFsError(error, "CONNECTION_LOST")) {
      const details = { target: target.target, path, left: [], changed: "perhaps" as const };
      throw new QnxFsError("OUTCOME_UNKNOWN", details, { cause: error });
    }
    throw await explainRefusal(target, error, { change, path, realPath }, signal);
  }
}
