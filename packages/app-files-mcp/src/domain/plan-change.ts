import { AppFilesError } from "./errors.ts";
import { mostAtOnce, type RemoveAllRequest, type TransferRequest } from "./file-changes.ts";
import type { FileRecord } from "./file-record.ts";

/** @throws AppFilesError INVALID_ARGUMENT for a copy or move of a file to itself. */
export function checkTransfer({ app, path, newApp, newPath }: TransferRequest): void {
  if (app !== newApp || path !== newPath) return;
  throw new AppFilesError("INVALID_ARGUMENT", {
    argument: "new_path",
    problem: "is the path that the file has already",
    next: "Call again with another new_path, or with new_app.",
  });
}

/** @throws AppFilesError FILE_EXISTS with the current state. */
export function checkMayReplace({ newPath, overwrite }: TransferRequest, current: FileRecord | undefined) {
  if (overwrite || current === undefined) return;
  const { version, size, sha256 } = current;
  const existing = { version, size, sha256 };
  throw new AppFilesError("FILE_EXISTS", { argument: "new_path", path: newPath, current: existing });
}

/** @throws AppFilesError COUNT_CONFLICT, TOO_MANY_FILES */
export function checkCount({ prefix, expectedCount }: RemoveAllRequest, actual: number): void {
  checkAtOnce(prefix, actual);
  if (expectedCount === undefined || expectedCount === actual) return;
  throw new AppFilesError("COUNT_CONFLICT", { prefix, expected: expectedCount, actual });
}

/** @throws AppFilesError TOO_MANY_FILES */
export function checkAtOnce(prefix: string, count: number): void {
  if (count > mostAtOnce) throw new AppFilesError("TOO_MANY_FILES", { prefix, count, limit: mostAtOnce });
}
