import { existsSync, linkSync, lstatSync, renameSync } from "node:fs";

/**
 * Gives a file another name, which is never taken from another file; false where something has it.
 *
 * @throws errors of node:fs; `isLinkless` tells those of a file system that cannot.
 */
export function giveName(file: string, name: string, link: typeof linkSync = linkSync): boolean {
  try {
    link(file, name);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === "EEXIST") return false;
    throw error;
  }
}

/** Gives a file that was taken aside its name again; false where something has it by now. */
export function giveBack(aside: string, name: string): boolean {
  try {
    return giveName(aside, name);
  } catch (error) {
    // Linux lets nobody link to a file of somebody else that he may not write.
    if (!isLinkless(error)) throw error;
    if (existsSync(name)) return false;
    renameSync(aside, name);
    return true;
  }
}

/** Whether an error says that a file system has no hard links. */
export function isLinkless(error: unknown): boolean {
  return ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(
    String((error as { code?: unknown } | null)?.code),
  );
}

/** Whether two names are those of one plain file. */
export function isOneFile(one: string, other: string): boolean {
  const [a, b] = [lstatSync(one), lstatSync(other)];
  return a.isFile() && a.ino === b.ino && a.dev === b.dev;
}
