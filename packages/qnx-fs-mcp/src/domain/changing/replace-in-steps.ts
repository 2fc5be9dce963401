import { QnxFsError } from "../errors.ts";
import { joinPath } from "../remote-path.ts";
import type { OpenTarget } from "../targets.ts";
import type { WritablePath } from "./locate-for-writing.ts";
import { isLost } from "./recovery.ts";

/**
 * Replaces a file on a target that cannot rename over one: the old file is moved aside, the new one takes its name,
 * the old one is removed. When the second step fails, the first is undone. Gives the old file's new path where it
 * could not be removed. `backupName` is a free name in the directory. A lost connection is for the caller to settle.
 */
export async function replaceInSteps(
  { target, files }: OpenTarget,
  from: string,
  to: WritablePath,
  backupName: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const backup = joinPath(to.directory, backupName);
  await files.rename(to.realPath, backup, signal);
  try {
    await files.rename(from, to.realPath, signal);
  } catch (error) {
    if (isLost(error)) throw error;
    const undo = AbortSignal.timeout(undoMs);
    await files.rename(backup, to.realPath, undo).catch((cause: unknown) => {
      const details = { target, path: to.path, left: [backup], changed: "perhaps" as const };
      throw new QnxFsError("OUTCOME_UNKNOWN", details, { cause });
    });
    throw error;
  }
  try {
    await files.removeFile(backup, signal);
    return undefined;
  } catch (error) {
    if (isLost(error)) throw error;
    return backup;
  }
}

/** Milliseconds that undoing may take, also after a call was cancelled. */
const undoMs = 10_000;
