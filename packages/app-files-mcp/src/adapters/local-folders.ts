import { constants } from "node:fs";
import {
  copyFile,
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  realpath,
  rename,
  rm,
  stat,
} from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { AppFilesError } from "../domain/errors.ts";
import {
  changedWhileRead,
  type LocalFiles,
  type LocalProblem,
  type LocalSource,
  type LocalTarget,
} from "../domain/local-files.ts";

/** Bytes that are read at once. */
const pieceBytes = 256 * 1024;

export interface LocalFolderOptions {
  /** Absolute paths; the first one is where relative paths begin. */
  readonly roots: readonly string[];
  /** Absolute paths of the server's own files and folders, which are not read or written in this way. */
  readonly ownFiles: readonly string[];
  /** A name that no other file has. */
  readonly nextName: () => string;
}

/**
 * Files below some folders. A path is resolved with all its links before it is judged, and looked at once more when
 * the file is open, so that a link that leads out is refused wherever in the path it lies.
 */
export function createLocalFolders({ roots, ownFiles, nextName }: LocalFolderOptions): LocalFiles {
  /** The path without links; that of a file that is not there ends in the names that are not there. */
  async function resolveInside(path: string): Promise<string> {
    if (path === "" || path.includes("\0")) refuse(path, "malformed");
    const real = await realpathOf(resolve(roots[0] ?? "/", path));
    for (const own of ownFiles) if (isInside(real, await realpathOf(own))) refuse(path, "own-file");
    for (const root of roots) if (isInside(real, await realpathOf(root))) return real;
    return refuse(path, "outside", roots);
  }

  /** What was opened must be what was judged, also when a folder was exchanged for a link meanwhile. */
  async function checkOpened(path: string, real: string, file: FileHandle): Promise<void> {
    const [opened, judged] = [await file.stat(), await translated(path, resolveInside(real).then(stat))];
    if (judged.ino !== opened.ino || judged.dev !== opened.dev) refuse(path, "link");
  }

  return {
    async open(path) {
      const real = await translated(path, resolveInside(path));
      // Without waiting: a pipe that nobody writes to would never open.
      const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
      if (!(await translated(path, lstat(real))).isFile()) refuse(path, "not-file");
      const file = await translated(path, open(real, flags));
      try {
        const state = await file.stat();
        if (!state.isFile()) refuse(path, "not-file");
        await checkOpened(path, real, file);
        return createSource(file, path, real, state);
      } catch (error) {
        await file.close();
        throw error;
      }
    },

    async create(path, { overwrite }) {
      const given = resolve(roots[0] ?? "/", path);
      if (path === "") refuse(path, "malformed");
      if (/[\\/]$/.test(path)) refuse(path, "not-file");
      const folder = await translated(path, resolveInside(dirname(given)));
      const target = join(folder, basename(given));
      await translated(path, resolveInside(target));
      await checkPlace(path, target, overwrite);
      await translated(path, mkdir(folder, { recursive: true }));
      // The folders that were missing are made; they may not have become links meanwhile.
      if ((await translated(path, resolveInside(folder))) !== folder) refuse(path, "link");
      const temp = join(folder, `.${nextName()}.part`);
      const file = await translated(path, open(temp, "wx", 0o666));
      await checkOpened(path, temp, file).catch(async (error: unknown) => {
        await file.close();
        await rm(temp, { force: true });
        throw error;
      });
      return createTarget(file, { path, target, temp, overwrite });
    },
  };
}

function createSource(
  file: FileHandle,
  path: string,
  real: string,
  begin: { readonly size: number; readonly mtimeMs: number },
): LocalSource {
  return {
    path: real,
    size: begin.size,
    async *read() {
      let at = 0;
      // One buffer for all pieces: what reads hundreds of megabytes leaves no hundreds of buffers behind.
      const buffer = new Uint8Array(pieceBytes);
      for (;;) {
        const { bytesRead } = await translated(path, file.read(buffer, 0, pieceBytes, at));
        if (bytesRead === 0) break;
        at += bytesRead;
        if (at > begin.size) break;
        yield buffer.subarray(0, bytesRead);
      }
      const end = await translated(path, file.stat());
      if (at !== begin.size || end.size !== begin.size || end.mtimeMs !== begin.mtimeMs) {
        throw new AppFilesError("LOCAL_UNAVAILABLE", { path, reason: changedWhileRead });
      }
    },
    close: () => file.close(),
  };
}

function createTarget(
  file: FileHandle,
  place: {
    readonly path: string;
    readonly target: string;
    readonly temp: string;
    readonly overwrite: boolean;
  },
): LocalTarget {
  const { path, target, temp, overwrite } = place;
  let isOpen = true;
  const close = async () => {
    if (isOpen) await file.close();
    isOpen = false;
  };
  return {
    path: target,
    append: (bytes) => translated(path, file.appendFile(bytes)),
    async finish() {
      await translated(path, file.sync());
      await close();
      if (overwrite) {
        await checkPlace(path, target, true);
        await translated(path, rename(temp, target));
      } else {
        await translated(path, nameNew(temp, target));
      }
      await syncFolder(dirname(target));
    },
    async discard() {
      await close();
      await rm(temp, { force: true });
    },
  };
}

/** Gives a file a second name, which unlike a renaming never replaces what is there; where names cannot, by a copy. */
async function nameNew(temp: string, target: string): Promise<void> {
  try {
    await link(temp, target);
  } catch (error) {
    if (codeOf(error) === "EEXIST" || codeOf(error) === "ENOENT") throw error;
    await copyFile(temp, target, constants.COPYFILE_EXCL);
    const copy = await open(target, "r+");
    await copy.sync().finally(() => copy.close());
  }
}

/** @throws AppFilesError LOCAL_EXISTS, LOCAL_PATH_REFUSED for what is no plain file. */
async function checkPlace(path: string, target: string, overwrite: boolean): Promise<void> {
  const there = await translated(path, lstat(target).catch(ignoreMissing));
  if (there === undefined) return;
  if (there.isSymbolicLink()) refuse(path, "link");
  if (!there.isFile()) refuse(path, "not-file");
  if (!overwrite) throw new AppFilesError("LOCAL_EXISTS", { path });
}

/** The real path, or the real path of the deepest folder that is there with the rest of the names. */
async function realpathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || dirname(path) === path) throw error;
    // A link to nowhere is there and leads somewhere else.
    const there = await lstat(path).catch(ignoreMissing);
    if (there !== undefined) refuse(path, "link");
    return join(await realpathOf(dirname(path)), basename(path));
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || !(way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way));
}

function refuse(path: string, problem: LocalProblem, roots: readonly string[] = []): never {
  throw new AppFilesError("LOCAL_PATH_REFUSED", { path, problem, roots });
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) !== "ENOENT") throw error;
}

/** What the disk said of a path, as a failure that its caller can read. */
async function translated<Result>(path: string, action: Promise<Result>): Promise<Result> {
  try {
    return await action;
  } catch (error) {
    const code = codeOf(error);
    if (error instanceof AppFilesError || code === undefined) throw error;
    const options = { cause: error };
    if (code === "ENOENT" || code === "ENOTDIR")
      throw new AppFilesError("LOCAL_NOT_FOUND", { path }, options);
    if (code === "EEXIST") throw new AppFilesError("LOCAL_EXISTS", { path }, options);
    if (code === "ELOOP")
      throw new AppFilesError("LOCAL_PATH_REFUSED", { path, problem: "link", roots: [] }, options);
    throw new AppFilesError("LOCAL_UNAVAILABLE", { path, reason: code }, options);
  }
}

/** Where it may be opened: a folder of the user's that takes files need not be readable. Windows opens none. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  try {
    await handle?.sync();
  } finally {
    await handle?.close();
  }
}
