import { constants } from "node:fs";
import {
  link,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  statfs,
  unlink,
} from "node:fs/promises";
import path from "node:path";
import { QnxFsError } from "../../domain/errors.ts";
import type { LocalFiles, LocalReader, LocalStat, LocalWriter } from "../../domain/local-files.ts";
import { BlockWriter } from "./block-writer.ts";
import { refuseLocal, translateLocal } from "./translate-local.ts";

const readBytes = 256 * 1024;
/** Names that Windows cannot have. */
const windowsUnfit = /[<>:"/\\|?*\p{Cc}]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu;

export interface LocalFolderOptions {
  /** The directories that may be used, as the configuration writes them. */
  readonly roots: () => Promise<readonly string[]>;
  /** This server's own directory for files; it may always be used. */
  readonly own: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/** The files of this host, by node:fs. */
export class LocalFolder implements LocalFiles {
  readonly #options: LocalFolderOptions;

  constructor(options: LocalFolderOptions) {
    this.#options = options;
  }

  async locate(given: string): Promise<string> {
    const wanted = this.#expand(given);
    if (!path.isAbsolute(wanted) || given.includes("\0")) {
      throw refuseLocal(given, "it is not an absolute path on this host, nor one that begins with ~/");
    }
    const resolved = path.resolve(wanted);
    const roots = [...(await this.#options.roots()).map((root) => this.#expand(root)), this.#options.own];
    const real = await Promise.all(roots.map((root) => realpath(root).catch(() => undefined)));
    const asRoot = real[roots.findIndex((root) => path.resolve(root) === resolved)];
    if (asRoot !== undefined) return asRoot;
    const parent = await this.#realParent(given, resolved, roots);
    const located = path.join(parent, path.basename(resolved));
    if (!real.some((root) => root !== undefined && isInside(located, root)))
      throw this.#outside(given, roots);
    if ((await this.stat(located))?.kind === "link")
      throw refuseLocal(given, "it is a link, which is not followed");
    return located;
  }

  async placeFor(name: string): Promise<string> {
    const { own } = this.#options;
    await guard(own, () => mkdir(own, { recursive: true, mode: 0o700 }));
    const directory = await realpath(own);
    const fit = this.takesName(name) ? name : name.replaceAll(/[^\w.-]/g, "_") || "file";
    const { name: base, ext } = path.parse(fit);
    for (let number = 1; ; number++) {
      const place = path.join(directory, number === 1 ? fit : `${base}-${number}${ext}`);
      if ((await this.stat(place)) === undefined) return place;
    }
  }

  takesName(name: string): boolean {
    return this.#options.platform === "win32" ? !windowsUnfit.test(name) : !/[/\0]/.test(name);
  }

  join(directory: string, ...names: readonly string[]): string {
    return path.join(directory, ...names);
  }

  beside(realPath: string, name: string): string {
    return path.join(path.dirname(realPath), name);
  }

  async stat(realPath: string): Promise<LocalStat | undefined> {
    try {
      const found = await lstat(realPath);
      const kind = found.isFile()
        ? "file"
        : found.isDirectory()
          ? "dir"
          : found.isSymbolicLink()
            ? "link"
            : "other";
      return { kind, size: found.size, mtimeMs: found.mtimeMs };
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
      throw translateLocal(error, realPath);
    }
  }

  async room(realPath: string): Promise<number | undefined> {
    const told = await statfs(path.dirname(realPath)).catch(() => undefined);
    return told && told.bavail * told.bsize;
  }

  list(realPath: string): Promise<readonly string[]> {
    return guard(realPath, async () => (await readdir(realPath)).sort());
  }

  async open(realPath: string): Promise<LocalReader> {
    // Neither a link nor a FIFO that took the file's place is waited for.
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    const file = await guard(realPath, () => open(realPath, flags));
    try {
      if (!(await file.stat()).isFile()) throw refuseLocal(realPath, "it is not a regular file");
    } catch (error) {
      await file.close();
      throw error;
    }
    return {
      read: (into, position) =>
        guard(realPath, async () => (await file.read(into, 0, into.length, position)).bytesRead),
      close: () => file.close(),
    };
  }

  async *read(realPath: string, from = 0): AsyncGenerator<Buffer> {
    const reader = await this.open(realPath);
    try {
      for (let at = from; ; ) {
        const buffer = Buffer.allocUnsafe(readBytes);
        const bytes = await reader.read(buffer, at);
        if (bytes === 0) return;
        at += bytes;
        yield buffer.subarray(0, bytes);
      }
    } finally {
      await reader.close();
    }
  }

  async makeDirectory(realPath: string): Promise<void> {
    await guard(realPath, () => mkdir(realPath));
  }

  async create(realPath: string): Promise<LocalWriter> {
    const file = await guard(realPath, () => open(realPath, "wx+"));
    return new BlockWriter(file, (error) => translateLocal(error, realPath));
  }

  async continue(realPath: string, keep: number): Promise<LocalWriter> {
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);
    const file = await guard(realPath, () => open(realPath, flags));
    await guard(realPath, () => file.truncate(keep));
    return new BlockWriter(file, (error) => translateLocal(error, realPath), keep);
  }

  async install(from: string, to: string, replace: boolean): Promise<void> {
    await guard(to, async () => {
      if (replace) await rename(from, to);
      else if ((await lstat(from)).isDirectory()) await this.#installDirectory(from, to);
      else await installNew(from, to);
      await syncDirectory(path.dirname(to));
    });
  }

  async remove(realPath: string): Promise<void> {
    await guard(realPath, () => rm(realPath, { recursive: true, force: true }));
  }

  /** mkdir claims the name; renaming goes over an empty directory. */
  async #installDirectory(from: string, to: string): Promise<void> {
    if (this.#options.platform !== "win32") await mkdir(to);
    await rename(from, to);
  }

  #expand(given: string): string {
    return given === "~" || /^~[/\\]/.test(given) ? path.join(this.#options.home, given.slice(1)) : given;
  }

  async #realParent(given: string, resolved: string, roots: readonly string[]): Promise<string> {
    const parent = path.dirname(resolved);
    try {
      const real = await realpath(parent);
      if ((await stat(real)).isDirectory()) return real;
    } catch {
      // Whether something is there is told only within the roots.
      if (!roots.some((root) => isInside(resolved, path.resolve(root)))) throw this.#outside(given, roots);
    }
    throw refuseLocal(given, `there is no directory ${JSON.stringify(parent)}`);
  }

  #outside(given: string, roots: readonly string[]): QnxFsError {
    return new QnxFsError("LOCAL_PATH_REFUSED", {
      path: given,
      roots,
      add: path.dirname(this.#expand(given)),
    });
  }
}

function isInside(inner: string, root: string): boolean {
  const relative = path.relative(root, inner);
  return (
    relative === "" ||
    (!relative.startsWith("..") && !path.isAbsolute(relative)) ||
    relative.startsWith("...")
  );
}

/** Gives a file a name that nobody has; where the file system knows no hard links, by claiming the name first. */
async function installNew(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EEXIST") throw error;
    await (await open(to, "wx")).close();
    await rename(from, to);
    return;
  }
  await unlink(from);
}

async function syncDirectory(directory: string): Promise<void> {
  // Some systems open no directories; what they hold is then in their own hands.
  const handle = await open(directory, "r").catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

async function guard<Value>(realPath: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw translateLocal(error, realPath);
  }
}
