import { kindOf } from "./entry-type.ts";
import { isQnxFsError, QnxFsError } from "./errors.ts";
import { displayPath, type RawName } from "./raw-name.ts";
import type { Attributes, RemoteFiles } from "./remote-files.ts";
import { assertNormalised, isWithin, joinPath, nameOf, parentOf } from "./remote-path.ts";

/** The roots of a target, as configured and as they were resolved on this connection. */
export interface Roots {
  /** As configured, in normal form. */
  readonly configured: readonly string[];
  /** Where they lead; a root that cannot be resolved leads nowhere. */
  readonly resolved: readonly string[];
}

/** Resolves each root once; a root may itself be a link. */
export async function resolveRoots(
  configured: readonly string[],
  files: RemoteFiles,
  signal: AbortSignal,
): Promise<Roots> {
  const resolved = await Promise.all(configured.map((root) => resolveRoot(root, files, signal)));
  return { configured, resolved: [...new Set(resolved.filter((root) => root !== undefined))] };
}

async function resolveRoot(
  root: string,
  files: RemoteFiles,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const { text, lossy } = displayPath(await files.realPath(root, signal));
    return lossy ? undefined : text;
  } catch (error) {
    if (error instanceof QnxFsError && (error.code === "NOT_FOUND" || error.code === "PERMISSION_DENIED")) {
      return undefined;
    }
    throw error;
  }
}

/** Who asks and where: what the path rules need to know. */
export interface Place {
  readonly target: string;
  readonly roots: Roots;
  readonly files: RemoteFiles;
}

/** Where `path` really lies, links in its last component resolved too. Fails with OUTSIDE_ROOTS when a link leads out. */
export async function resolveWithinRoots(place: Place, path: string, signal: AbortSignal): Promise<string> {
  assertBelowRoots(place, path);
  const told = await place.files.realPath(path, signal).catch(orNotFound(place, path, signal));
  const real = utf8Path(place, path, told);
  assertLeadsWithin(place, path, real);
  return real;
}

/**
 * Where the entry `path` itself lies: the links of its directory are resolved, its own last component is not. A root
 * that is a link can be looked at, though what holds it lies outside.
 */
export async function locateWithinRoots(place: Place, path: string, signal: AbortSignal): Promise<string> {
  assertBelowRoots(place, path);
  if (path === "/") return "/";
  const holder = parentOf(path);
  const told = await place.files.realPath(holder, signal).catch(orNotFound(place, holder, signal));
  const parent = utf8Path(place, path, told);
  const located = joinPath(parent, nameOf(path));
  if (!place.roots.configured.includes(path)) assertLeadsWithin(place, path, located);
  return located;
}

/** What LSTAT tells of the real path that a caller's `path` led to. NOT_FOUND names what the caller gave. */
export function lstatWithinRoots(
  place: Place,
  path: string,
  realPath: string,
  signal: AbortSignal,
): Promise<Attributes> {
  return place.files.lstat(realPath, signal).catch(orNotFound(place, path, signal));
}

/**
 * Where the entry `path` itself lies and what LSTAT tells of it. The target is asked both at once: behind the bytes of a
 * transfer each answer takes its time. What it tells of the path as written counts only where that leads over no link.
 */
export async function lookWithinRoots(
  place: Place,
  path: string,
  signal: AbortSignal,
): Promise<{ readonly realPath: string; readonly attributes: Attributes }> {
  assertBelowRoots(place, path);
  const locating = locateWithinRoots(place, path, signal);
  const asWritten = place.files.lstat(path, signal);
  asWritten.catch(() => {});
  const realPath = await locating;
  const attributes =
    realPath === path
      ? await asWritten.catch(orNotFound(place, path, signal))
      : await lstatWithinRoots(place, path, realPath, signal);
  return { realPath, attributes };
}

/** Makes NOT_FOUND tell how far the path is right. */
function orNotFound(place: Place, path: string, signal: AbortSignal): (error: unknown) => Promise<never> {
  return async (error) => {
    if (!isQnxFsError(error, "NOT_FOUND")) throw error;
    const nearest = await nearestDirectory(place, path, signal);
    throw new QnxFsError("NOT_FOUND", { target: place.target, path, nearest }, { cause: error });
  };
}

/** The first directory above a path that is there; undefined where none is within the roots. */
async function nearestDirectory(
  place: Place,
  path: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (let at = path; at !== "/"; ) {
    at = parentOf(at);
    if (!isBelowRoots(place.roots, at)) return undefined;
    try {
      const { text, lossy } = displayPath(await place.files.realPath(at, signal));
      if (lossy || !isInRoots(place.roots, text)) return undefined;
      const { mode } = await place.files.lstat(text, signal);
      if ((kindOf(mode, undefined, text)?.type ?? "dir") === "dir") return at;
    } catch (error) {
      if (!isQnxFsError(error) || error.code === "CONNECTION_LOST") throw error;
    }
  }
  return undefined;
}

/** Whether a real path lies in a root. */
export function isInRoots(roots: Roots, realPath: string): boolean {
  return roots.resolved.some((root) => isWithin(realPath, root));
}

/** Refuses what lies outside by its text alone, before the target is asked anything about it. */
function assertBelowRoots({ target, roots }: Place, path: string): void {
  assertNormalised(path);
  if (!isBelowRoots(roots, path)) {
    throw new QnxFsError("OUTSIDE_ROOTS", { target, path, roots: roots.configured, byLink: false });
  }
}

function isBelowRoots({ configured, resolved }: Roots, path: string): boolean {
  return [...configured, ...resolved].some((root) => isWithin(path, root));
}

function assertLeadsWithin({ target, roots }: Place, path: string, real: string): void {
  if (!isInRoots(roots, real)) {
    throw new QnxFsError("OUTSIDE_ROOTS", { target, path, roots: roots.configured, byLink: true });
  }
}

function utf8Path({ target }: Place, path: string, raw: RawName): string {
  const { text, lossy } = displayPath(raw);
  if (lossy || !text.startsWith("/")) throw new QnxFsError("NAME_NOT_UTF8", { target, path });
  return text;
}
