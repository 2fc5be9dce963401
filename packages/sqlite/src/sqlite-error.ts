/**
 * What went wrong, the same for both engines. `BUSY`: another process holds the lock; `CONSTRAINT`: a rule of
 * the schema; `FULL`: no room on the disk; `CORRUPT`: not a database, or a damaged one; `READONLY`: may not be
 * written; `CANNOT_OPEN`: the file cannot be opened; `IO`: the disk failed; `NEWER`: written by a newer version of
 * the program; `OTHER`: anything else, such as wrong SQL.
 */
export type SqliteErrorCode =
  | "BUSY"
  | "CONSTRAINT"
  | "FULL"
  | "CORRUPT"
  | "READONLY"
  | "CANNOT_OPEN"
  | "IO"
  | "NEWER"
  | "OTHER";

/** An error of the database; `cause` is the engine's own. */
export class SqliteError extends Error {
  override readonly name = "SqliteError";
  readonly code: SqliteErrorCode;

  constructor(code: SqliteErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Primary result codes. Source: sqlite.org/rescode.html */
const codes = new Map<number, SqliteErrorCode>([
  [3, "READONLY"], // PERM
  [5, "BUSY"],
  [6, "BUSY"], // LOCKED
  [8, "READONLY"],
  [10, "IO"],
  [11, "CORRUPT"],
  [13, "FULL"],
  [14, "CANNOT_OPEN"],
  [19, "CONSTRAINT"],
  [26, "CORRUPT"], // NOTADB
]);

/** An engine's error as a `SqliteError`; what is not an engine's error comes back as it is. */
export function toSqliteError(error: unknown): unknown {
  if (error instanceof SqliteError || !(error instanceof Error)) return error;
  const result = resultCodeOf(error);
  if (result === undefined) return error;
  // The low byte is the primary code, the rest says more about it.
  return new SqliteError(codes.get(result & 0xff) ?? "OTHER", error.message, { cause: error });
}

function resultCodeOf(error: Error): number | undefined {
  // node:sqlite: code ERR_SQLITE_ERROR and errcode; libsql: rawCode.
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode;
  if ("rawCode" in error && typeof error.rawCode === "number") return error.rawCode;
  // libsql fails to open with a plain error that ends with the result code.
  const failedToOpen = /^ConnectionFailed\(.*: (\d+)"\)$/s.exec(error.message);
  if (failedToOpen?.[1] !== undefined) return Number(failedToOpen[1]);
  if (error.name === "SqliteError") return 1;
  return undefined;
}
