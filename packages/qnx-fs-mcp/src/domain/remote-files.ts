import type { RawName } from "./raw-name.ts";

/** What a target tells about a file; a field that it leaves out is undefined. Source: SFTP version 3, ATTRS. */
export interface Attributes {
  /** Bytes for a file; undefined meaning for devices. */
  readonly size?: number;
  readonly uid?: number;
  readonly gid?: number;
  /** Type and permission bits, `st_mode`. */
  readonly mode?: number;
  /** Seconds since 1970, by the target's clock. */
  readonly mtime?: number;
}

/** One entry of a directory as it was sent. */
export interface RawEntry {
  readonly name: RawName;
  /** The line of `ls -l`, where the target sends one. */
  readonly longName?: string;
  readonly attributes: Attributes;
}

/** The room of a file system, in bytes. Source: statvfs@openssh.com. */
export interface Space {
  readonly total: number;
  /** What an ordinary user may still fill. */
  readonly free: number;
  readonly readOnly: boolean;
  /** The longest name, in bytes; 0 where the target does not tell. */
  readonly longestName: number;
}

export interface StreamOptions {
  /** Whether a piece may go over one that was given before, once the next one is asked for. */
  readonly reuse?: boolean;
}

export interface Written {
  /** Ends when the target has taken all bytes; fails where it refused some. */
  readonly taken: Promise<void>;
}

/**
 * An open file of a target. Every method fails as those of `RemoteFiles` do. Reading and writing keep many requests
 * under way, as much as about 300 ms of the line hold.
 */
export interface RemoteFile {
  stat(signal: AbortSignal): Promise<Attributes>;
  /** The bytes from `position` on; fewer than `length` only at the end of the file. */
  read(position: number, length: number, signal: AbortSignal): Promise<Buffer>;
  /** The bytes of a range in order, in pieces; ends early at the end of the file. */
  stream(from: number, to: number, signal: AbortSignal, options?: StreamOptions): AsyncGenerator<Buffer>;
  /**
   * Writes pieces one behind the other from the beginning on; `wrote` hears of each that the target has taken. Ends when
   * all are sent: what is asked of the file from then on comes behind them, and need not wait for their answers.
   */
  write(
    pieces: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
    wrote?: (bytes: number) => void,
  ): Promise<Written>;
  setMode(mode: number, signal: AbortSignal): Promise<void>;
  /** Brings what was written to the medium; false where the target cannot be asked to. */
  sync(signal: AbortSignal): Promise<boolean>;
  /** Closes it; what fails now failed in writing. */
  close(signal: AbortSignal): Promise<void>;
  /** Closes it without waiting; for what was only read, and after failures. */
  release(): void;
}

/**
 * The files of one target. Paths are in normal form. Every method fails with NOT_FOUND, PERMISSION_DENIED,
 * REFUSED_BY_TARGET or CONNECTION_LOST, and with the signal's reason once it is aborted: no request is sent after
 * that. None of them follows a link in the last component but `realPath`, `stat`, `open`, `setMode` and `space`.
 */
export interface RemoteFiles {
  lstat(path: string, signal: AbortSignal): Promise<Attributes>;
  stat(path: string, signal: AbortSignal): Promise<Attributes>;
  /** Where a path leads, all links resolved. Success does not mean that something is there. */
  realPath(path: string, signal: AbortSignal): Promise<RawName>;
  /** What a link says, as it is stored. */
  readLink(path: string, signal: AbortSignal): Promise<RawName>;
  /** The entries of a directory in the target's order, in batches, without `.` and `..`; duplicates as they come. */
  readDirectory(path: string, signal: AbortSignal): AsyncIterable<readonly RawEntry[]>;
  /** Opens a file to read, or one to write that must not be there yet. */
  open(path: string, use: "read" | "create", signal: AbortSignal): Promise<RemoteFile>;
  makeDirectory(path: string, mode: number, signal: AbortSignal): Promise<void>;
  /** Removes anything but a directory. */
  removeFile(path: string, signal: AbortSignal): Promise<void>;
  /** Removes an empty directory. */
  removeDirectory(path: string, signal: AbortSignal): Promise<void>;
  /** Renames; fails where `to` is there already (but see `replace`). */
  rename(from: string, to: string, signal: AbortSignal): Promise<void>;
  /** Renames in one step over what is at `to`; false where the target cannot, and nothing was done. */
  replace(from: string, to: string, signal: AbortSignal): Promise<boolean>;
  /** Sets the permission bits. */
  setMode(path: string, mode: number, signal: AbortSignal): Promise<void>;
  /** The room on the file system of a path; undefined where the target does not tell. */
  space(path: string, signal: AbortSignal): Promise<Space | undefined>;
}
