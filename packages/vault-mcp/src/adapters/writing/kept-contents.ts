import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { etagOf } from "../../domain/etag.ts";
import type { KeptVersion } from "../../domain/writing/note-files.ts";
import { syncFolder } from "./sync-folder.ts";

const mostVersions = 10;
const dayMs = 86_400_000;
const keptDays = 30;

interface Kept extends KeptVersion {
  readonly file: string;
}

/**
 * Contents of the vault's files that were replaced or deleted: ten a path, thirty days. A folder a path, a file a
 * content, whose name has the time, the tag of the content and whether it was deleted.
 */
export class KeptContents {
  readonly #folder: string;
  readonly #now: () => Date;

  constructor(folder: string, now: () => Date) {
    this.#folder = folder;
    this.#now = now;
  }

  /**
   * Keeps a content and resolves to its version.
   *
   * @param isDurable whether it must outlast a power cut from then on.
   */
  async keep(path: string, bytes: Uint8Array, wasDeleted: boolean, isDurable = true): Promise<string> {
    const folder = this.#folderOf(path);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const before = await this.#list(path);
    const version = etagOf(bytes);
    // Versions are told apart by time, also where the clock stands still or goes back.
    const at = Math.max(this.#now().getTime(), (before[0]?.at ?? 0) + 1);
    const file = join(
      folder,
      `${String(at).padStart(15, "0")}-${version}-${wasDeleted ? "deleted" : "replaced"}`,
    );
    await writeWhole(file, bytes, isDurable);
    const stale = before.filter((kept, index) => kept.version === version || index >= mostVersions - 1);
    for (const kept of stale) await rm(join(folder, kept.file), { force: true });
    return version;
  }

  async versions(path: string): Promise<readonly KeptVersion[]> {
    const oldest = this.#now().getTime() - keptDays * dayMs;
    return (await this.#list(path))
      .filter(({ at }) => at >= oldest)
      .map(({ version, at, wasDeleted }) => ({ version, at, wasDeleted }));
  }

  async read(path: string, version: string): Promise<Buffer | undefined> {
    const kept = (await this.#list(path)).find((candidate) => candidate.version === version);
    return kept === undefined ? undefined : readFile(join(this.#folderOf(path), kept.file));
  }

  /** Lets a file's contents follow it to another path. */
  async move(path: string, newPath: string): Promise<void> {
    const from = this.#folderOf(path);
    if (!existsSync(from)) return;
    const to = this.#folderOf(newPath);
    await mkdir(to, { recursive: true, mode: 0o700 });
    for (const { file } of await this.#list(path)) await rename(join(from, file), join(to, file));
    await rm(from, { recursive: true, force: true });
  }

  /** Removes what is too old, of all paths; looks once a day. */
  async prune(): Promise<void> {
    const mark = join(this.#folder, ".pruned");
    const now = this.#now();
    const last = await stat(mark).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    );
    if (now.getTime() - last < dayMs) return;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.#folder)) {
      if (name.startsWith(".")) continue;
      const folder = join(this.#folder, name);
      const kept = parseNames(await readdir(folder));
      const old = kept.filter(({ at }) => at < now.getTime() - keptDays * dayMs);
      for (const { file } of old) await rm(join(folder, file), { force: true });
      if (old.length === kept.length) await rm(folder, { recursive: true, force: true });
    }
    await (await open(mark, "a", 0o600)).close();
    await utimes(mark, now, now);
  }

  #folderOf(path: string): string {
    return join(this.#folder, createHash("sha256").update(path.normalize("NFC")).digest("hex").slice(0, 32));
  }

  /** The newest first. */
  async #list(path: string): Promise<Kept[]> {
    const names = await readdir(this.#folderOf(path)).catch(() => []);
    return parseNames(names).sort((a, b) => b.at - a.at);
  }
}

function parseNames(names: readonly string[]): Kept[] {
  return names.flatMap((file) => {
    const [, at, version, how] = /^(\d{15})-([0-9a-f]{16})-(deleted|replaced)$/.exec(file) ?? [];
    if (at === undefined || version === undefined) return [];
    return [{ file, at: Number(at), version, wasDeleted: how === "deleted" }];
  });
}

async function writeWhole(file: string, bytes: Uint8Array, isDurable: boolean): Promise<void> {
  const draft = `${file}.${randomBytes(4).toString("hex")}`;
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(bytes);
      if (isDurable) await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  if (isDurable) await syncFolder(join(file, ".."));
}
