/** Where files are imported from and exported to. Paths are absolute, or relative to the first root. */
export interface LocalFiles {
  /**
   * Opens a file for reading.
   *
   * @throws AppFilesError LOCAL_PATH_REFUSED, LOCAL_NOT_FOUND, LOCAL_UNAVAILABLE
   */
  open(path: string): Promise<LocalSource>;
  /**
   * Begins a file, with the folders that it lies in. Nothing shows at its place before it is finished.
   *
   * @throws AppFilesError LOCAL_PATH_REFUSED, LOCAL_EXISTS, LOCAL_UNAVAILABLE
   */
  create(path: string, options: { readonly overwrite: boolean }): Promise<LocalTarget>;
}

/** A file on the disk that is read. */
export interface LocalSource {
  /** Absolute, without links in it. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /**
   * Its bytes in pieces, each valid until the next one is asked for.
   *
   * @throws AppFilesError LOCAL_UNAVAILABLE when it is not the same from beginning to end.
   */
  read(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** A file on the disk that is written. */
export interface LocalTarget {
  /** Absolute, without links in it. */
  readonly path: string;
  append(bytes: Uint8Array): Promise<void>;
  /** Puts it in its place, durably. @throws AppFilesError LOCAL_EXISTS when somebody else was faster. */
  finish(): Promise<void>;
  /** Removes what is not in its place; to be called at the end, also after `finish`. */
  discard(): Promise<void>;
}

/** The reason that LOCAL_UNAVAILABLE gives for a file that did not stay the same. */
export const changedWhileRead = "it was changed while it was read";

/** Why a path on the disk is refused. */
export type LocalProblem = "outside" | "own-file" | "not-file" | "link" | "malformed";
