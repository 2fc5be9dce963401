import { isLost, isThere, lookAgain, settleMs } from "../changing/recovery.ts";
import { modeText } from "../entry-type.ts";
import { isQnxFsError, QnxFsError } from "../errors.ts";
import type { OpenTarget } from "../targets.ts";
import { hashAt } from "./hash-file.ts";
import type { PutOutcome, PutServices, PutState } from "./put-file.ts";

type Recovered = Pick<PutOutcome, "mode" | "leftBackup">;

/**
 * Tidies up after a put that failed, connecting again where the line was lost. Fails with what failed; where it turns
 * out that the new file stands under its name, that is told instead. Where nobody can tell, or something is left,
 * fails with OUTCOME_UNKNOWN.
 */
export async function recoverPut(
  target: OpenTarget,
  state: PutState,
  error: unknown,
  services: PutServices,
): Promise<Recovered> {
  const { to, stage } = state;
  // A failed undo has told all; and a name that could not be made is not ours to remove.
  if (isQnxFsError(error, "OUTCOME_UNKNOWN") || stage === "nothing") throw error;
  const refusedToCreate = stage === "creating" && isQnxFsError(error) && !isLost(error);
  if (refusedToCreate) throw error;
  let recovered: Recovered | undefined;
  try {
    recovered = await lookAgain(target, error, services, (now, signal) =>
      tidyUp(now, state, services.sleep, signal),
    );
  } catch (cause) {
    const changed = stage === "installing" || to.inRam ? "perhaps" : "no";
    const left = stage === "installing" && !to.inRam ? [state.temporary, state.backup] : [state.temporary];
    throw new QnxFsError(
      "OUTCOME_UNKNOWN",
      { target: target.target, path: to.path, left, changed },
      { cause },
    );
  }
  if (recovered === undefined) throw error;
  return recovered;
}

/** Removes what was written, and undoes what was begun; undefined when that is done, else what stands there. */
async function tidyUp(
  target: OpenTarget,
  state: PutState,
  sleep: PutServices["sleep"],
  signal: AbortSignal,
): Promise<Recovered | undefined> {
  const { files } = target;
  const { temporary, to, stage, backup } = state;
  if (stage === "creating" && to.inRam) {
    // It may be somebody else's: only when nothing is there is all well.
    if (await isThere(target, to.realPath, signal))
      throw new Error("a file is there that may be another one's");
    return undefined;
  }
  // Once it is removed, no renaming of it that is still under way can come to anything.
  if (await removeIfThere(files, temporary, signal)) {
    if (stage === "installing") await restore(target, state, signal);
    return undefined;
  }
  if (stage !== "installing") {
    // A creation that was under way may come later than the first look.
    if (stage === "creating") {
      await sleep(settleMs, signal);
      await removeIfThere(files, temporary, signal);
    }
    return undefined;
  }
  const { mode, size } = await files.lstat(to.realPath, signal);
  if ((await hashAt(files, to.realPath, size ?? 0, signal)) !== state.sha256) {
    throw new Error("there is neither the old file nor the new one");
  }
  await removeIfThere(files, backup, signal);
  return { mode: modeText(mode), leftBackup: undefined };
}

/** Gives a file that was moved aside its name back. */
async function restore(target: OpenTarget, { backup, to }: PutState, signal: AbortSignal): Promise<void> {
  if (await isThere(target, backup, signal)) await target.files.rename(backup, to.realPath, signal);
}

async function removeIfThere(
  files: OpenTarget["files"],
  path: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await files.removeFile(path, signal);
    return true;
  } catch (error) {
    if (isQnxFsError(error, "NOT_FOUND")) return false;
    throw error;
  }
}
