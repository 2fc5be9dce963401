import {
  closeSync,
  constants,
  existsSync,
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
import { giveBack, giveName, isLinkless, isOneFile } from "./names-of-files.ts";
import type { SavesByOthers } from "./saves-by-others.ts";
import { stageFile } from "./stage-file.ts";
import { syncFolder } from "./sync-folder.ts";
import type { TemporaryFiles } from "./temporary-files.ts";

const mostAttempts = 10;

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

/** What a replacement works with. */
export interface Replacing {
  readonly temporary: TemporaryFiles;
  readonly saves: SavesByOthers;
  readonly rename?: typeof renameSync;
  readonly link?: typeof linkSync;
}

export interface Replaced {
  /** Another program's content that went, in the place of the one that was expected; undefined as a rule. */
  readonly overtaken: Buffer | undefined;
  /** How many other names (hard links) the old file has; they keep the old content. */
  readonly otherNames: number;
}

/**
 * Replaces a file's content with its mode.
 *
 * @param ready is waited for while the new content is written: the file is not replaced before.
 * @throws VaultError ETAG_MISMATCH, and errors of node:fs; nothing has happened then.
 */
export async function replaceFile(
  replacement: Replacement,
  bytes: Uint8Array,
  replacing: Replacing,
  ready: Promise<unknown> = Promise.resolve(),
): Promise<Replaced> {
  const { absolute, path } = replacement;
  refuseReadOnly(absolute);
  const folder = dirname(absolute);
  const draft = replacing.temporary.begin(folder, path);
  try {
    const staged = stageFile(draft.path, bytes, lstatSync(absolute));
    // Of two that fail the second is waited for too.
    await Promise.allSettled([staged, ready]);
    await Promise.all([staged, ready]);
    const replaced = swapFile(replacement, draft.path, replacing);
    await syncFolder(folder);
    return replaced;
  } finally {
    draft.end();
  }
}

/**
 * Puts a finished draft in a file's place. What is there is compared immediately before, and looked at again
 * afterwards: programs that know no lock may save between.
 *
 * As a rule by one rename, so that the file has the old content or the new one at any instant. A rename replaces whatever
 * is there, and no system that Node runs on lets it ask first; so where another program has saved by a rename lately, the
 * file is taken out of its place and the draft gets the name only while it is free. For a few microseconds the file is
 * not there then, but no save of another program is ever replaced.
 *
 * @throws VaultError ETAG_MISMATCH, and errors of node:fs; nothing has happened then.
 */
export function swapFile(replacement: Replacement, draft: string, replacing: Replacing): Replaced {
  const { absolute, path, given, expected } = replacement;
  const { temporary, saves, rename = renameSync } = replacing;
  const old = temporary.begin(dirname(absolute), path, expected);
  try {
    // Without giving way, since every moment is one in which an editor may save.
    const found = lstatSync(absolute);
    const held = hold(absolute, old.path);
    const isSame = etagOf(readFileSync(held)) === expected && realpathSync(absolute) === absolute;
    const isAtRisk = saves.mark(path, lstatSync(draft), found) && held !== absolute;
    if (!isSame || !isOneFile(absolute, held)) throw mismatch(absolute, given);
    if (isAtRisk) swapInGap(replacement, held, draft, replacing);
    else rename(draft, absolute);
    // An editor that had the file open has written into what is held.
    const last = held === absolute ? undefined : readFileSync(held);
    const overtaken = last === undefined || etagOf(last) === expected ? undefined : last;
    return { overtaken, otherNames: found.nlink - 1 };
  } finally {
    old.end();
  }
}

/** Takes the file out of its place and gives the draft the name, unless another program has taken it by then. */
function swapInGap(
  { absolute, path, given, expected }: Replacement,
  held: string,
  draft: string,
  { temporary, rename = renameSync, link = linkSync }: Replacing,
): void {
  const aside = temporary.takeAside(dirname(absolute), path, expected);
  try {
    rename(absolute, aside.path);
  } catch (error) {
    aside.end();
    throw error;
  }
  let isIn = false;
  try {
    isIn = isOneFile(aside.path, held) && giveName(draft, absolute, link);
  } finally {
    // What came out is put back, be it the old file or a save that came just before; a save that came since stays.
    if (!isIn) giveBack(aside.path, absolute);
    aside.end();
  }
  if (!isIn) throw mismatch(absolute, given);
}

function mismatch(absolute: string, given: string): VaultError {
  return new VaultError("ETAG_MISMATCH", {
    path: given,
    current: partialEtag(etagOf(readFileSync(absolute))),
  });
}

/** A rename needs no right to the file itself; who has made a note read-only means it. */
export function refuseReadOnly(absolute: string): void {
  closeSync(openSync(absolute, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK));
}

/** Gives a file a second name, so that its content stays when it is replaced; the first where no links are possible. */
function hold(absolute: string, name: string): string {
  for (let attempt = 1; ; attempt += 1) {
    try {
      linkSync(absolute, name);
      return name;
    } catch (error) {
      if (isLinkless(error)) return absolute;
      // Linux says so, too, of a file that is replaced at this very instant.
      const isGone = (error as { code?: unknown }).code === "ENOENT" && !existsSync(absolute);
      if (isGone || attempt === mostAttempts) throw error;
    }
  }
}
