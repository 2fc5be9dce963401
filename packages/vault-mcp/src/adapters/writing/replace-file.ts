import {
  closeSync,
  constants,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
} from "node:fs";
import { dirname } from "node:path";
import { VaultError } from "../../domain/errors.ts";
import { etagOf, partialEtag } from "../../domain/etag.ts";
import { stageFile } from "./stage-file.ts";
import { syncFolder } from "./sync-folder.ts";
import type { TemporaryFiles } from "./temporary-files.ts";

export interface Replacement {
  /** Absolute real path of the file. */
  readonly absolute: string;
  /** Vault-relative. */
  readonly path: string;
  /** As the caller wrote the path, for errors. */
  readonly given: string;
  /** The tag of the content that is to be replaced. */
  readonly expected: string;
}

/**
 * Replaces a file's content in one step, so that it has the old one or the new one at any instant, with its mode.
 *
 * @returns as `swapFile`.
 * @throws VaultError ETAG_MISMATCH, and errors of node:fs; nothing has happened then.
 */
export async function replaceFile(
  replacement: Replacement,
  bytes: Uint8Array,
  temporary: TemporaryFiles,
  rename: typeof renameSync = renameSync,
): Promise<Buffer | undefined> {
  const { absolute, path } = replacement;
  refuseReadOnly(absolute);
  const folder = dirname(absolute);
  const draft = temporary.begin(folder, path);
  try {
    await stageFile(draft.path, bytes, lstatSync(absolute));
    const last = swapFile(replacement, draft.path, temporary, rename);
    syncFolder(folder);
    return last;
  } finally {
    draft.end();
  }
}

/**
 * Puts a finished draft in a file's place. What is there is compared immediately before, and looked at again
 * afterwards: programs that know no lock may have saved between.
 *
 * @returns such a program's content that was replaced; undefined as a rule.
 * @throws VaultError ETAG_MISMATCH, and errors of node:fs; nothing has happened then.
 */
export function swapFile(
  { absolute, path, given, expected }: Replacement,
  draft: string,
  temporary: TemporaryFiles,
  rename: typeof renameSync = renameSync,
): Buffer | undefined {
  const old = temporary.begin(dirname(absolute), path, expected);
  try {
    // Without giving way, since every moment is one in which an editor may save.
    const held = hold(absolute, old.path);
    const isSame = etagOf(readFileSync(held)) === expected && isOneFile(absolute, held);
    if (!isSame || realpathSync(absolute) !== absolute) {
      const current = partialEtag(etagOf(readFileSync(absolute)));
      throw new VaultError("ETAG_MISMATCH", { path: given, current });
    }
    rename(draft, absolute);
    // An editor that had the file open has written into what is held.
    const last = held === absolute ? undefined : readFileSync(held);
    return last === undefined || etagOf(last) === expected ? undefined : last;
  } finally {
    old.end();
  }
}

/** A rename needs no right to the file itself; who has made a note read-only means it. */
export function refuseReadOnly(absolute: string): void {
  closeSync(openSync(absolute, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK));
}

/** Gives a file a second name, so that its content stays when it is replaced; the first where no links are possible. */
function hold(absolute: string, name: string): string {
  try {
    linkSync(absolute, name);
    return name;
  } catch (error) {
    if (!isLinkless(error)) throw error;
    return absolute;
  }
}

/** Whether an error says that a file system has no hard links. */
export function isLinkless(error: unknown): boolean {
  return ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(
    String((error as { code?: unknown } | null)?.code),
  );
}

function isOneFile(absolute: string, held: string): boolean {
  const [a, b] = [lstatSync(absolute), lstatSync(held)];
  return a.isFile() && a.ino === b.ino && a.dev === b.dev;
}
