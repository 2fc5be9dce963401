import { MissingEngineError, SqliteError, type SqliteErrorCode } from "@mcp-file-servers/sqlite";
import { AppFilesError, type StoreProblem } from "../../domain/errors.ts";

const databaseProblems: Partial<Record<SqliteErrorCode, StoreProblem>> = {
  BUSY: "busy",
  FULL: "full",
  READONLY: "denied",
  CANNOT_OPEN: "denied",
  CORRUPT: "damaged",
  NEWER: "newer",
  IO: "io",
};

const fileProblems: Readonly<Record<string, StoreProblem>> = {
  ENOSPC: "full",
  EDQUOT: "full",
  EACCES: "denied",
  EPERM: "denied",
  EROFS: "denied",
  ENOENT: "damaged",
  ENOTDIR: "damaged",
  EISDIR: "damaged",
  EIO: "io",
  EMFILE: "busy",
  ENFILE: "busy",
};

/** What the database or the disk said, as a failure of the store; anything else comes back as it is. */
export function translateError(error: unknown): unknown {
  const problem = problemOf(error);
  return problem === undefined
    ? error
    : new AppFilesError("STORE_UNAVAILABLE", { problem }, { cause: error });
}

function problemOf(error: unknown): StoreProblem | undefined {
  if (error instanceof SqliteError) return databaseProblems[error.code];
  if (error instanceof MissingEngineError) return "no-engine";
  if (error instanceof Error && "code" in error && "syscall" in error) {
    return fileProblems[String(error.code)] ?? "io";
  }
  return undefined;
}
