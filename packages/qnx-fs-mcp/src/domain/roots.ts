import { QnxFsError } from "./errors.ts";
import { displayPath, type RawName } from "./raw-name.ts";
import type { RemoteFiles } from "./remote-files.ts";
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
  const real = utf8Path(place, path, await place.files.realPath(path, signal));
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
  const parent = utf8Path(place, path, await place.files.realPath(parentOf(path), signal));
  const located = joinPath(parent, nameOf(path));
  if (!place.roots.configured.includes(path)) assertLeadsWithin(place, path, located);
  return located;
}

/** Whether a real path lies in a root. */
export function isInRoots(roots: Roots, realPath: string): boolean {
  return roots.resolved.some((root) => isWithin(realPath, root));
}

/** Refuses what lies outside by its text alone, before the target is asked anything about it. */
function assertBelowRoots({ target, roots }: Place, path: string): void {
  assertNormalised(path);
  const known = [...roots.configured, ...roots.resolved];
  if (!known.some((root) => isWithin(path, root))) {
    throw new QnxFsError("OUTSIDE_ROOTS", { target, path, roots: roots.configured, byLink: false });
  }
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
