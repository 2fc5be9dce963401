import { lstatSync, readdirSync, realpathSync, type Stats } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { VaultError } from "../../domain/errors.ts";
import { fold } from "../../domain/fold.ts";
import type { Visibility } from "../../domain/visibility.ts";
import { checkNewName } from "../../domain/writing/check-new-name.ts";
import { isMissing } from "../file-errors.ts";
import type { NewPlace } from "./make-file.ts";

/** The vault as writers see it. */
export interface WritePlace {
  /** The real path of the vault's folder. */
  readonly root: string;
  readonly visibility: Visibility;
}

/**
 * Where a new file or folder goes. Folders that exist are found by their names in NFC; names that do not are checked.
 *
 * @param path vault-relative.
 * @param given the path as the caller wrote it, for errors.
 * @param itself vault-relative path of an existing file or folder that is to take the place: a name that differs from
 *   its own in case or form alone is free.
 * @throws VaultError ALREADY_EXISTS, NAME_NOT_ALLOWED, PATH_HIDDEN, PATH_OUTSIDE_VAULT; errors of node:fs.
 */
export function findNewPlace(
  { root, visibility }: WritePlace,
  path: string,
  given: string,
  itself?: string,
): NewPlace {
  const names = path.split("/");
  const name = names.pop() ?? "";
  let base = root;
  let made: string[] = [];
  for (const [index, next] of names.entries()) {
    const spelled = made.length > 0 ? undefined : findName(base, next);
    if (spelled === undefined) {
      made = names.slice(index);
      break;
    }
    base = enter(root, join(base, spelled), given, visibility);
  }
  for (const next of [...made, name]) checkNewName(given, next);
  const folder = relative(root, base).split(sep).join("/");
  const joined = (...parts: string[]) => parts.filter((part) => part !== "").join("/");
  const full = joined(folder, ...made, name);
  if (visibility.isHidden(full)) throw new VaultError("PATH_HIDDEN", { path: given });
  const own = itself === undefined ? undefined : join(root, itself);
  if (made.length === 0) refuseTaken(base, name, given, folder, own);
  return { base, folders: made, name, path: full, scope: joined(folder, made[0] ?? name) };
}

/**
 * What is at a path: its folders are found by their names in NFC and through links inside the vault, it itself as it is.
 *
 * @returns its vault-relative real path; undefined where there is nothing.
 * @throws VaultError PATH_HIDDEN, PATH_OUTSIDE_VAULT; errors of node:fs.
 */
export function findEntry(
  { root, visibility }: WritePlace,
  path: string,
  given: string,
): { readonly path: string; readonly stat: Stats } | undefined {
  if (visibility.isHidden(path)) throw new VaultError("PATH_HIDDEN", { path: given });
  const names = path.split("/");
  const name = names.pop() ?? "";
  let base = root;
  for (const next of names) {
    const spelled = findName(base, next);
    if (spelled === undefined) return undefined;
    const entered = join(base, spelled);
    if (statOf(entered)?.isFile() === true) return undefined;
    base = enter(root, entered, given, visibility);
  }
  const spelled = findName(base, name);
  if (spelled === undefined) return undefined;
  const real = relative(root, join(base, spelled)).split(sep).join("/");
  if (visibility.isHidden(real)) throw new VaultError("PATH_HIDDEN", { path: given });
  return { path: real, stat: lstatSync(join(base, spelled)) };
}

/** The name of an entry as the disk has it: the one that it leads to, else the same in NFC; undefined where there is none. */
function findName(folder: string, name: string): string | undefined {
  const stat = statOf(join(folder, name));
  if (stat?.isSymbolicLink()) return name;
  // Where case makes no difference the disk may spell it otherwise; macOS and Windows tell.
  if (stat !== undefined) return basename(realpathSync.native(join(folder, name)));
  const normal = name.normalize("NFC");
  return readdirSync(folder).find((other) => other.normalize("NFC") === normal);
}

/** The real path of a folder on the way, which must be in the vault and visible. */
function enter(root: string, absolute: string, given: string, visibility: Visibility): string {
  let real: string;
  try {
    real = realpathSync.native(absolute);
  } catch (error) {
    const reason = isMissing(error)
      ? "crosses a link that points to nothing"
      : "crosses a link that leads in a circle";
    throw new VaultError("PATH_OUTSIDE_VAULT", { path: given, reason }, { cause: error });
  }
  const inside = relative(root, real);
  if (inside === ".." || inside.startsWith(`..${sep}`) || join(root, inside) !== real) {
    throw new VaultError("PATH_OUTSIDE_VAULT", {
      path: given,
      reason: "crosses a link that leaves the vault",
    });
  }
  const path = inside.split(sep).join("/");
  if (path !== "" && visibility.isHidden(path)) throw new VaultError("PATH_HIDDEN", { path: given });
  if (!lstatSync(real).isDirectory()) throw new VaultError("ALREADY_EXISTS", { path: given, found: path });
  return real;
}

/** Names that differ in case or form alone are one name elsewhere, and to every link. */
function refuseTaken(
  base: string,
  name: string,
  given: string,
  folder: string,
  own: string | undefined,
): void {
  const wanted = fold(name);
  const taken = readdirSync(base).filter((other) => fold(other) === wanted);
  // Where case or form makes no difference the wanted name leads to an entry that is spelled otherwise.
  if (taken.length === 0 && statOf(join(base, name)) !== undefined) taken.push(name);
  for (const other of taken) {
    if (statOf(join(base, other)) === undefined || (own !== undefined && isOneEntry(join(base, other), own)))
      continue;
    const found = folder === "" ? other : `${folder}/${other}`;
    throw new VaultError("ALREADY_EXISTS", { path: given, found });
  }
}

/** Whether two paths are the same name in the same folder; two names of one file (hard links) are not. */
function isOneEntry(one: string, other: string): boolean {
  if (basename(one) !== basename(other)) return false;
  const [a, b] = [statOf(dirname(one)), statOf(dirname(other))];
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
}

/** What is at a path, links not followed. */
export function statOf(absolute: string): Stats | undefined {
  return lstatSync(absolute, { throwIfNoEntry: false });
}
