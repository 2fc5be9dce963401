/** What stands at a path on this host; a link is not followed. */
export interface LocalStat {
  readonly kind: "file" | "dir" | "link" | "other";
  /** Bytes. */
  readonly size: number;
  readonly mtimeMs: number;
}

/** A file on this host that is open to be read. */
export interface LocalReader {
  /** Reads into a buffer from a position on; gives how many bytes came, 0 at the end of the file. */
  read(into: Uint8Array, position: number): Promise<number>;
  close(): Promise<void>;
}

/** A file on this host that is being written, from one end to the other. */
export interface LocalWriter {
  /** Takes bytes; they may change once this has resolved. */
  write(bytes: Uint8Array): Promise<void>;
  /** Bytes of the file that are written by now. */
  readonly stored: number;
  /** Brings all to the disk and closes. Gives whether everything read back as it was written. */
  finish(): Promise<boolean>;
}

/**
 * The files of this host, within the directories that the configuration names. Paths are real ones as `locate` gives
 * them. Every method fails with LOCAL_PATH_REFUSED, with ALREADY_EXISTS and NO_SPACE whose target is null.
 */
export interface LocalFiles {
  /** The real path of what a caller names: its directory must be there and lie in a root, and it is no link itself. */
  locate(path: string): Promise<string>;
  /** A path for a new file in this server's own directory, where the caller names none. */
  placeFor(name: string): Promise<string>;
  /** Whether a name from a target can be one here. */
  takesName(name: string): boolean;
  join(directory: string, ...names: readonly string[]): string;
  /** The path of a name in the directory that holds `realPath`. */
  beside(realPath: string, name: string): string;
  stat(realPath: string): Promise<LocalStat | undefined>;
  /** Bytes that may still be stored in the directory that holds a path; undefined where nobody can tell. */
  room(realPath: string): Promise<number | undefined>;
  /** The names in a directory, sorted. */
  list(realPath: string): Promise<readonly string[]>;
  /** Opens a regular file to be read. */
  open(realPath: string): Promise<LocalReader>;
  /** The bytes of a regular file from a position on. */
  read(realPath: string, from?: number): AsyncGenerator<Buffer>;
  makeDirectory(realPath: string): Promise<void>;
  /** A new file; fails where there is one. */
  create(realPath: string): Promise<LocalWriter>;
  /** A file of which the first bytes are kept and the rest is written anew. */
  continue(realPath: string, keep: number): Promise<LocalWriter>;
  /** Gives what is complete its name; over a file only with `replace`. */
  install(from: string, to: string, replace: boolean): Promise<void>;
  /** Removes a file, or a directory with all that is in it; nothing there is fine. */
  remove(realPath: string): Promise<void>;
}
