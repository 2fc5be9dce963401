import { QnxFsError } from "../../domain/errors.ts";

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or directory",
  EACCES: "this user may not do that there",
  EPERM: "this user may not do that there",
  EROFS: "the file system is read-only",
  ENAMETOOLONG: "the name is too long",
  ENOTDIR: "a part of it is no directory",
  EISDIR: "it is a directory",
  ELOOP: "it is a link, or a loop of links",
  EBUSY: "another program uses it",
  EMFILE: "too many files are open",
};

/** Makes a failure of the host's file system one of this server's errors; leaves others as they are. */
export function translateLocal(error: unknown, path: string): unknown {
  if (error instanceof QnxFsError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  const options = { cause: error };
  if (code === undefined) return error;
  if (code === "EEXIST" || code === "ENOTEMPTY")
    return new QnxFsError("ALREADY_EXISTS", { target: null, path }, options);
  if (code === "ENOSPC" || code === "EDQUOT")
    return new QnxFsError("NO_SPACE", { target: null, path }, options);
  return refuseLocal(path, reasons[code] ?? `the system says ${code}`, options);
}

/** A path within the roots that cannot be used. */
export function refuseLocal(path: string, reason: string, options?: ErrorOptions): QnxFsError {
  return new QnxFsError("LOCAL_PATH_REFUSED", { path, roots: [], add: path, reason }, options);
}
