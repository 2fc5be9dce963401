import { VaultError } from "../errors.ts";
import { parsePath, type VaultPlace } from "../vault-path.ts";

/**
 * The vault-relative path that a writer's argument means. A path from a root is refused, since for a write it must be
 * certain which root was meant.
 *
 * @throws VaultError INVALID_ARGUMENT, PATH_OUTSIDE_VAULT.
 */
export function parseWritePath(argument: string, given: string, place: VaultPlace): string {
  const path = given.trim() === "" ? "" : parsePath(argument, given, place);
  if (path === "") {
    const problem = given.trim() === "" ? "is empty" : "is the vault itself";
    const next = `Call again with ${argument} as a path inside the vault, such as "Folder/Note.md".`;
    throw new VaultError("INVALID_ARGUMENT", { argument, problem, next });
  }
  if (/^[\\/]/.test(given) || (place.windows && /^[a-z]:/i.test(given))) {
    throw new VaultError("INVALID_ARGUMENT", {
      argument,
      problem: "begins at a root, and what is written is named relative to the vault",
      next: `Call again with ${argument} as ${JSON.stringify(path.slice(0, 200))} if that was meant.`,
    });
  }
  return path;
}
