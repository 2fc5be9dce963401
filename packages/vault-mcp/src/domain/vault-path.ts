import { VaultError } from "./errors.ts";

/** How the vault's folder is called and how names are read there. */
export interface VaultPlace {
  /** Absolute paths that lead to the vault's folder: as it was given and as it really is. */
  readonly roots: readonly string[];
  readonly windows: boolean;
  /** Whether something lies at a vault-relative path; asked only where a name may have a backslash in it. */
  isThere?(path: string): boolean;
}

/**
 * The vault-relative path, without slashes at its ends, that a reading tool's argument means: `X`, `X/`, `X\Y`, `/X`
 * from the vault's root, and an absolute path inside the vault's folder. Empty for the root itself. Only the text is
 * looked at, but for one thing: a name with a backslash in it that is there means itself, where there can be such names.
 *
 * @throws VaultError INVALID_ARGUMENT for a NUL, PATH_OUTSIDE_VAULT for what leads out of the vault.
 */
export function parsePath(argument: string, given: string, place: VaultPlace): string {
  if (given.includes("\0")) {
    throw new VaultError("INVALID_ARGUMENT", {
      argument,
      problem: "has a NUL character in it",
      next: `Call again with ${argument} as a path inside the vault, such as "Folder/Note.md".`,
    });
  }
  if (given.includes("\\") && !place.windows) {
    const literal = toPath(given, given, place);
    if (place.isThere?.(literal) === true) return literal;
  }
  return toPath(given.replaceAll("\\", "/"), given, place);
}

function toPath(text: string, given: string, place: VaultPlace): string {
  const names = relativeToRoot(text, place)
    .split("/")
    .filter((name) => name !== "" && name !== ".");
  if (names.includes("..")) {
    throw new VaultError("PATH_OUTSIDE_VAULT", { path: given, reason: "has .. in it" });
  }
  if (place.windows && names.some((name) => name.includes(":"))) {
    throw new VaultError("PATH_OUTSIDE_VAULT", { path: given, reason: "names a drive or a stream" });
  }
  return names.join("/");
}

function relativeToRoot(path: string, { roots, windows }: VaultPlace): string {
  const plain = (text: string) => {
    const normal = text.normalize("NFC");
    return windows ? normal.replaceAll("\\", "/").toLowerCase() : normal;
  };
  for (const root of roots) {
    const start = plain(root).replace(/\/+$/, "");
    const normal = plain(path);
    if (normal === start) return "";
    if (start !== "" && normal.startsWith(`${start}/`)) return path.normalize("NFC").slice(start.length);
  }
  return path;
}
