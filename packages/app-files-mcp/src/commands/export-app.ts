import { basename, dirname, resolve } from "node:path";
import { type EntryFacts, nameEntry } from "../adapters/zip/entry-comment.ts";
import { type NewEntry, writeZip } from "../adapters/zip/write-zip.ts";
import { parseApp } from "../domain/app-name.ts";
import { hasCode } from "../domain/errors.ts";
import { readPieces } from "../domain/export-file.ts";
import type { FileRecord } from "../domain/file-record.ts";
import type { ListPosition } from "../domain/listing.ts";
import type { FileStore } from "../domain/store.ts";
import type { CommandDeps } from "./command-deps.ts";
import { showProgress } from "./terminal-progress.ts";

/** Formats that are compressed in themselves. */
const compressed =
  /^(image\/(?!svg|bmp|x-ms-bmp|tiff)|video\/|audio\/(?!wav|x-wav)|application\/(zip|gzip|x-7z|x-rar|pdf))/;

/**
 * `export APP FILE.zip`: the current files of an app. A damaged file is left out and named, and the exit code is 1; the
 * zip appears whole or not at all.
 */
export async function exportApp(
  [name = "", file = ""]: readonly string[],
  overwrite: boolean,
  { store, policy, terminal, localFilesIn }: CommandDeps,
): Promise<number> {
  const { signal } = terminal;
  const app = parseApp(name, policy);
  const records = await listAll(store, app, signal);
  if (records.length === 0) {
    terminal.stderr.write(`app-files-mcp: the app ${app} has no files\n`);
    return 1;
  }
  const place = resolve(file);
  const target = await localFilesIn(dirname(place)).create(basename(place), { overwrite });
  const progress = showProgress(terminal, `exporting ${app}`);
  try {
    const all = records.reduce((sum, { size }) => sum + size, 0) * 2;
    let done = 0;
    const tell = (bytes: number) => {
      done += bytes;
      progress.update(done, all);
    };
    const sound: FileRecord[] = [];
    const damaged: FileRecord[] = [];
    for (const record of records) {
      const isSound = await verify(store, app, record, signal, tell);
      (isSound ? sound : damaged).push(record);
    }
    const entries = sound.map((record) => entryOf(store, app, record, signal, tell));
    for await (const bytes of writeZip(entries)) await target.append(bytes);
    await target.finish();
    progress.end();
    const lines = [
      ...damaged.map(({ path }) => `DAMAGED and left out: ${JSON.stringify(path)}`),
      `${sound.length} files of ${app} are in ${target.path}`,
    ];
    terminal.stdout.write(`${lines.join("\n")}\n`);
    return damaged.length === 0 ? 0 : 1;
  } finally {
    progress.end();
    await target.discard();
  }
}

async function listAll(store: FileStore, app: string, signal: AbortSignal): Promise<FileRecord[]> {
  const records: FileRecord[] = [];
  let after: ListPosition | undefined;
  for (let more = true; more; ) {
    const view = { kind: "files", sort: "path", order: "asc", folders: false } as const;
    const page = await store.list({ app, filter: {}, view, limit: 1000, after }, { signal });
    for (const { entry } of page.entries) if (entry.kind === "file") records.push(entry.file);
    after = page.entries.at(-1)?.position;
    more = page.more;
  }
  return records;
}

/** Reads a file once, so that a damaged one is known before it is half in the zip. */
async function verify(
  store: FileStore,
  app: string,
  { path, version }: FileRecord,
  signal: AbortSignal,
  tell: (bytes: number) => void,
): Promise<boolean> {
  try {
    const content = await store.open(app, path, version, { signal });
    for await (const bytes of readPieces(content, { signal, reuse: true })) tell(bytes.length);
    return true;
  } catch (error) {
    if (hasCode(error, "CORRUPT")) return false;
    throw error;
  }
}

function entryOf(
  store: FileStore,
  app: string,
  record: FileRecord & EntryFacts,
  signal: AbortSignal,
  tell: (bytes: number) => void,
): NewEntry {
  const { path, version, size, updatedAt, mime } = record;
  return {
    ...nameEntry(record),
    size,
    changedAt: updatedAt,
    compress: !compressed.test(mime),
    async *read() {
      // The version that was listed, also when the file has been changed since.
      const content = await store.open(app, path, version, { signal });
      for await (const bytes of readPieces(content, { signal })) {
        tell(bytes.length);
        yield bytes;
      }
    },
  };
}
