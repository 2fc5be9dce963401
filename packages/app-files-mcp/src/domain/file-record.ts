/** What is known of one version of a file. Times are milliseconds since 1970. */
export interface FileRecord {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** type/subtype. */
  readonly mime: string;
  /** Lower-case hex. */
  readonly sha256: string;
  /** Counts the writes of this path: 1, 2, 3…, also across a delete. */
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What a write comes to. The same command again gets the same receipt. */
export interface WriteReceipt extends FileRecord {
  readonly app: string;
  /** The app's files_version after the write. */
  readonly filesVersion: number;
  /** Of an edit alone. */
  readonly edit?: EditSummary | undefined;
}

/** What an edit did. */
export interface EditSummary {
  readonly replacements: number;
  /** A unified diff, perhaps not all of it. */
  readonly diff: string;
  readonly isDiffCut: boolean;
}

/** What an app takes. */
export interface Usage {
  /** Of the current files. */
  readonly bytes: number;
  readonly count: number;
  /** Of the kept older versions. */
  readonly historyBytes: number;
}

/** How a version came to be. */
export type Action = "write" | "copy" | "move" | "restore" | "delete";
