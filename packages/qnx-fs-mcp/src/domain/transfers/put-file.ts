import { createHash } from "node:crypto";
import { explainRefusal } from "../changing/explain-refusal.ts";
import { locateForCreating, type WritablePath } from "../changing/locate-for-writing.ts";
import type { Recovery } from "../changing/recovery.ts";
import { replaceInSteps } from "../changing/replace-in-steps.ts";
import { temporaryName } from "../changing/temporary-name.ts";
import { modeText } from "../entry-type.ts";
import { isQnxFsError, QnxFsError } from "../errors.ts";
import type { Attributes, RemoteFile } from "../remote-files.ts";
import { joinPath, nameOf } from "../remote-path.ts";
import type { OpenTarget } from "../targets.ts";
import { checkDestination } from "./check-destination.ts";
import { hashAt } from "./hash-file.ts";
import type { PutSource } from "./put-source.ts";
import { recoverPut } from "./recover-put.ts";
import { removeStaleParts } from "./stale-parts.ts";

export interface PutRequest {
  readonly remotePath: string;
  /** Permission bits; undefined: those of the file that is replaced, else 0644. */
  readonly mode: number | undefined;
  readonly overwrite: boolean;
  readonly verify: boolean;
}

/** What putting needs besides its target. */
export interface PutServices extends Recovery {
  readonly newId: () => string;
  readonly progress: (done: number, total?: number) => void;
}

export interface PutOutcome {
  readonly realPath: string;
  readonly size: number;
  readonly sha256: string;
  /** As the target tells it, in octal. */
  readonly mode: string | null;
  readonly replaced: boolean;
  /** Whether at every moment there was the old file, the new one or, where there was none, nothing. */
  readonly atomic: boolean;
  readonly verified: boolean;
  /** Whether the target was asked to bring it to the medium. */
  readonly synced: boolean;
  readonly inRam: boolean;
  /** What was replaced, where it could not be removed. */
  readonly leftBackup: string | undefined;
}

/** How far a put has come, for what has to be tidied up when it fails. */
export interface PutState {
  readonly to: WritablePath;
  /** What is written to: a file beside its place, in RAM the place itself. */
  readonly temporary: string;
  readonly backup: string;
  readonly replaces: boolean;
  stage: "nothing" | "creating" | "writing" | "installing";
  /** The old file was to be moved aside first. */
  inSteps: boolean;
  sha256: string;
}

/**
 * Puts a file on a target: beside its place first, read back, then under its name. Whatever fails, there is the old
 * file or the new one, and nothing else is left, or the failure names what is.
 */
export async function putFile(
  target: OpenTarget,
  source: PutSource,
  request: PutRequest,
  services: PutServices,
  signal: AbortSignal,
): Promise<PutOutcome> {
  const to = await locateForCreating(target, request.remotePath, signal);
  const replacing = await checkDestination(target, to, source.size, request.overwrite, signal);
  const id = services.newId();
  const state: PutState = {
    to,
    temporary: to.inRam ? to.realPath : joinPath(to.directory, temporaryName(id, ".part")),
    backup: joinPath(to.directory, temporaryName(id, ".old")),
    replaces: replacing !== undefined,
    stage: "nothing",
    inSteps: false,
    sha256: "",
  };
  const mode = request.mode ?? replacing?.mode ?? 0o644;
  const outcome = { realPath: to.realPath, size: source.size, replaced: state.replaces, inRam: to.inRam };
  try {
    const uploaded = await upload(target, source, state, mode & 0o7777, services.progress, signal);
    const { stored, synced } = uploaded;
    await source.assertUnchanged();
    await assertStored(target, state, source.size, stored, request.verify, signal);
    const told = { mode: modeText(stored.mode), sha256: state.sha256, verified: request.verify, synced };
    if (to.inRam) return { ...outcome, ...told, atomic: false, leftBackup: undefined };
    await uploaded.tidying;
    signal.throwIfAborted();
    return { ...outcome, ...told, ...(await install(target, state, signal)) };
  } catch (error) {
    const told = await explain(target, state, source, error, signal);
    const recovered = await recoverPut(target, state, told, services);
    return {
      ...outcome,
      ...recovered,
      sha256: state.sha256,
      verified: true,
      synced: false,
      atomic: !state.inSteps,
    };
  }
}

interface Uploaded {
  /** What the target tells of the file once it is closed. */
  readonly stored: Attributes;
  readonly synced: boolean;
  /** Ends when what puts before this one left there is removed. */
  readonly tidying: Promise<void>;
}

async function upload(
  target: OpenTarget,
  source: PutSource,
  state: PutState,
  mode: number,
  progress: (done: number, total?: number) => void,
  signal: AbortSignal,
): Promise<Uploaded> {
  const { files } = target;
  const { temporary, to } = state;
  state.stage = "creating";
  const file = await files.open(temporary, "create", signal);
  state.stage = "writing";
  const tidying = to.inRam
    ? Promise.resolve()
    : removeStaleParts(target, to.directory, nameOf(temporary), signal);
  try {
    const hash = createHash("sha256");
    let written = 0;
    const { taken } = await file.write(hashed(source, hash), signal, (bytes) => {
      written += bytes;
      progress(written, source.size);
    });
    state.sha256 = hash.digest("hex");
    // Asked together, as each answer takes the whole way: a server answers in the order of the questions.
    const asked = [
      taken,
      setMode(file, mode, to.inRam, signal),
      file.sync(signal),
      file.close(signal),
      files.lstat(temporary, signal),
    ] as const;
    await Promise.allSettled(asked);
    // What failed first is told.
    const [, , synced, , stored] = await Promise.all(asked);
    return { stored, synced, tidying };
  } catch (error) {
    file.release();
    await tidying.catch(() => {});
    throw error;
  }
}

async function* hashed(source: PutSource, hash: ReturnType<typeof createHash>): AsyncGenerator<Uint8Array> {
  for await (const piece of source.pieces()) {
    hash.update(piece);
    yield piece;
  }
}

/** Objects in RAM may refuse modes. */
async function setMode(file: RemoteFile, mode: number, inRam: boolean, signal: AbortSignal): Promise<void> {
  try {
    await file.setMode(mode, signal);
  } catch (error) {
    if (!inRam || !isQnxFsError(error, "REFUSED_BY_TARGET", "PERMISSION_DENIED")) throw error;
  }
}

/** Holds what is on the target against what was sent: its size always, its bytes where that is wanted. */
async function assertStored(
  { target, files }: OpenTarget,
  { to, temporary, sha256 }: PutState,
  size: number,
  stored: Attributes,
  verify: boolean,
  signal: AbortSignal,
): Promise<void> {
  const fail = (reason: string): never => {
    throw new QnxFsError("VERIFY_FAILED", { target, path: to.path, reason });
  };
  if (stored.size !== undefined && stored.size !== size) fail(`${stored.size} of ${size} bytes are there`);
  if (verify && (await hashAt(files, temporary, size, signal)) !== sha256)
    fail("it reads back as other bytes");
}

async function install(
  target: OpenTarget,
  state: PutState,
  signal: AbortSignal,
): Promise<Pick<PutOutcome, "atomic" | "leftBackup">> {
  const { temporary, to, backup } = state;
  state.stage = "installing";
  if (!state.replaces) {
    // Not the renaming that goes over what is there: something may have appeared.
    await target.files.rename(temporary, to.realPath, signal);
    return { atomic: true, leftBackup: undefined };
  }
  if (await target.files.replace(temporary, to.realPath, signal))
    return { atomic: true, leftBackup: undefined };
  state.inSteps = true;
  return { atomic: false, leftBackup: await replaceInSteps(target, temporary, to, nameOf(backup), signal) };
}

/** Says why the target refused, while what was written still lies there. */
function explain(
  target: OpenTarget,
  { to, stage, temporary, replaces }: PutState,
  { size }: PutSource,
  error: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  const change =
    stage === "installing" ? (replaces ? "replace" : "rename") : stage === "creating" ? "create" : "write";
  const realPath = stage === "installing" ? to.realPath : temporary;
  return explainRefusal(target, error, { change, path: to.path, realPath, needed: size }, signal);
}
