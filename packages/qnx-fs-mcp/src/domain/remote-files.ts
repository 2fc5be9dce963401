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

/**
 * The files of one target. Paths are in normal form. Every method fails with NOT_FOUND, PERMISSION_DENIED,
 * REFUSED_BY_TARGET or CONNECTION_LOST, and with the signal's reason once it is aborted: no request is sent after
 * that. None of them follows a link in the last component but `realPath` and `stat`.
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
}
