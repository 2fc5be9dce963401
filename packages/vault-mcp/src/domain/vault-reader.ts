import type { FileKind } from "./visibility.ts";

/** A file of the vault, opened and read. */
export interface VaultFile {
  /** Vault-relative, as the disk spells it, and where the file really lies if a link led to it. */
  readonly path: string;
  readonly kind: FileKind;
  readonly mimeType: string;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
  readonly sizeBytes: number;
  /** The whole content; undefined where it is larger than was asked for. */
  readonly bytes: Buffer | undefined;
}

/** Reads files that are in the vault, visible and of a served kind, and nothing else. */
export interface VaultReader {
  /**
   * The file at a vault-relative path, whose names are compared in NFC; undefined when there is none.
   *
   * @param given the path as the caller wrote it, for errors.
   * @throws VaultError PATH_HIDDEN, PATH_OUTSIDE_VAULT for a link that leaves the vault, NOT_A_FILE,
   *   KIND_NOT_SERVED, VAULT_UNREADABLE.
   */
  read(path: string, given: string, maxBytes: number): Promise<VaultFile | undefined>;
}
