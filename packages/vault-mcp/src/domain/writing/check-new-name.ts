import { VaultError } from "../errors.ts";

const reservedOnWindows = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?:\.|$)/i;
const mostBytes = 255;

/**
 * Refuses a name for a new file or folder that some file system, or Obsidian's links, cannot hold.
 *
 * @param path the whole path as the caller wrote it, for errors.
 * @throws VaultError NAME_NOT_ALLOWED
 */
export function checkNewName(path: string, name: string): void {
  const reason = reasonAgainst(name);
  if (reason !== undefined) throw new VaultError("NAME_NOT_ALLOWED", { path, name, reason });
}

function reasonAgainst(name: string): string | undefined {
  if (!name.isWellFormed()) return "has half of a surrogate pair in it, which no file system holds";
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) return "has a control character or line break in it";
  const link = /[#^[\]|]/.exec(name)?.[0];
  if (link !== undefined) return `has ${link} in it, which Obsidian's links cannot hold`;
  const windows = /[:*?"<>\\]/.exec(name)?.[0];
  if (windows !== undefined) return `has ${windows} in it, which Windows cannot hold`;
  if (/[. ]$/.test(name)) return `ends with a ${name.endsWith(".") ? "dot" : "space"}, which Windows drops`;
  if (name.startsWith(" ")) return "begins with a space, which synchronising programs drop";
  // The extension does not save it: CON.md is the console too.
  if (reservedOnWindows.test(name)) return "is reserved for a device on Windows";
  const bytes = Buffer.byteLength(name);
  if (bytes > mostBytes) return `has ${bytes} bytes, and file systems hold ${mostBytes}`;
  return undefined;
}
