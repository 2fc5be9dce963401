import { createHash } from "node:crypto";
import { basename, join, resolve } from "node:path";
import type { VisibilityRules } from "../../domain/visibility.ts";

/**
 * The file of a vault's index: the one that was named, else one in the cache folder. Servers share it that show the same
 * of the same vault; what one of them hides never comes into the index of another.
 *
 * @param base the server's cache folder.
 * @param root the real path of the vault's folder.
 */
export function indexFileOf(
  base: string,
  named: string | undefined,
  root: string,
  { exclude, attachments }: VisibilityRules,
): string {
  if (named !== undefined) return resolve(named);
  const shown = JSON.stringify([root, [...exclude].sort(), [...attachments].sort()]);
  const name = basename(root)
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .slice(0, 40);
  return join(base, `${name}-${createHash("sha256").update(shown).digest("hex").slice(0, 16)}.sqlite`);
}
