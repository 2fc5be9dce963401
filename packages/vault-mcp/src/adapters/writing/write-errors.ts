import { lstatSync } from "node:fs";
import { VaultError } from "../../domain/errors.ts";
import { reasonOf, unreadable } from "../file-errors.ts";

const reasons: Readonly<Record<string, { readonly reason: string; readonly retry: boolean }>> = {
  ENOSPC: { reason: "there is no room left on the disk", retry: true },
  EDQUOT: { reason: "the disk quota is used up", retry: true },
  EROFS: { reason: "the file system is read-only", retry: false },
  EACCES: { reason: "permission denied", retry: false },
  EPERM: { reason: "permission denied", retry: false },
  ENAMETOOLONG: { reason: "the path is longer than the system takes", retry: false },
  EXDEV: { reason: "it lies on another file system than its target", retry: false },
  EBUSY: { reason: "another program uses it", retry: true },
  ETXTBSY: { reason: "another program uses it", retry: true },
};

export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}

/** Whether an error is the file system's; others, such as a signal's reason, are for somebody else. */
export function isSystemError(error: unknown): boolean {
  return /^E[A-Z0-9]+$/.test(codeOf(error));
}

/**
 * The failure that an error of node:fs is to a caller who wanted to write.
 *
 * @param root the real path of the vault: a vault that is gone is a failure of its own.
 */
export function notWritten(root: string, given: string, error: unknown): VaultError {
  if (error instanceof VaultError) return error;
  try {
    lstatSync(root);
  } catch (gone) {
    return unreadable("", gone);
  }
  const known = reasons[codeOf(error)] ?? { reason: reasonOf(error), retry: true };
  return new VaultError("NOT_WRITTEN", { path: given, ...known }, { cause: error });
}
