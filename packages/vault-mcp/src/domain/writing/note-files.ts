import type { VaultFile } from "../vault-reader.ts";

/** A file whose whole content has been read. */
export type WholeFile = VaultFile & { readonly bytes: Buffer };

/** What came of replacing or removing a file. */
export interface Outcome {
  /** The version under which the content that went is kept. */
  readonly kept: string | undefined;
  /**
   * The version of a content that was there in the end instead of the one that had been read: another program saved
   * the file at the same moment. It is kept too.
   */
  readonly overtaken: string | undefined;
  /** How many other names (hard links) the file had, which still lead to the content that went. */
  readonly otherNames: number;
}

/** A place in the vault that something came to. */
export interface NewEntry {
  /** As it is on the disk. */
  readonly path: string;
  /** The topmost of the folders that it needs and that were not there; else the path itself. */
  readonly scope: string;
}

/** A content of a path that was replaced or deleted. */
export interface KeptVersion {
  /** The tag of its content, unique for a path. */
  readonly version: string;
  /** When it went, milliseconds since 1970. */
  readonly at: number;
  readonly wasDeleted: boolean;
}

/** Versions as failures name them. */
export function describeVersions(versions: readonly KeptVersion[]): string[] {
  return versions.map(({ version, at }) => `${version} of ${new Date(at).toISOString()}`);
}

/** How files of the vault are changed, within one turn of `exclusively`. */
export interface NoteFiles {
  /**
   * Runs a writer alone: one at a time in this server and in all others of the vault. A turn must not ask for another.
   *
   * @param note path of the one existing file that the turn changes; such turns of this server about others may run at the
   *   same time.
   * @throws VaultError NOT_WRITTEN when others write all the time or there is no place for the lock; the signal's reason.
   */
  exclusively<Result>(signal: AbortSignal, turn: () => Promise<Result>, note?: string): Promise<Result>;
  /**
   * Makes a file, with the folders above it. It is there as a whole or not at all, and never in another's place.
   *
   * @param path vault-relative; names that exist are compared in NFC.
   * @param given the path as the caller wrote it, for errors.
   * @throws VaultError ALREADY_EXISTS also for a name that differs in case or Unicode form alone, NAME_NOT_ALLOWED,
   *   PATH_HIDDEN, PATH_OUTSIDE_VAULT, KIND_NOT_SERVED, NOT_WRITTEN, VAULT_UNREADABLE.
   */
  create(path: string, given: string, bytes: Uint8Array): Promise<NewEntry>;
  /**
   * Puts a new content in a file's place, with its mode, and keeps the old one.
   *
   * @param file as it was read; what is there must still be the same.
   * @throws VaultError ETAG_MISMATCH, NOT_WRITTEN, VAULT_UNREADABLE.
   */
  replace(file: WholeFile, given: string, bytes: Uint8Array): Promise<Outcome>;
  /**
   * Moves a file to the vault's trash and keeps its content.
   *
   * @throws VaultError ETAG_MISMATCH, NOT_WRITTEN, VAULT_UNREADABLE.
   */
  trash(file: VaultFile, given: string): Promise<Outcome & { readonly trashPath: string }>;
  /** The kept contents of a path, the newest first. */
  versions(path: string): Promise<readonly KeptVersion[]>;
  /** A kept content; undefined where there is none of that version. */
  readVersion(path: string, version: string): Promise<WholeFile | undefined>;
  /** Takes a deleted file out of the trash again once its content is back at its path. */
  forgetTrashed(path: string, version: string): Promise<void>;
}
