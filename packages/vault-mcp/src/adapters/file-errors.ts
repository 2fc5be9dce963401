import { VaultError } from "../domain/errors.ts";

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EIO: "the disk reports an input/output error",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  ENOENT: "there is nothing at that place any more",
  ENOTDIR: "it is no folder",
  ESTALE: "the network folder is gone",
};

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}

/** Whether an error of node:fs says that there is no such file. */
export function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "ENAMETOOLONG"].includes(codeOf(error));
}

/** Why a file cannot be read, in words. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return reasons[code] ?? (code === "" ? String(error) : `the system says ${code}`);
}

/** The failure that an error of node:fs is to the caller. */
export function unreadable(path: string, error: unknown): VaultError<"VAULT_UNREADABLE"> {
  return new VaultError("VAULT_UNREADABLE", { path, reason: reasonOf(error) }, { cause: error });
}
