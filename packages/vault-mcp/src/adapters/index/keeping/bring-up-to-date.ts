import type { Database, Writer } from "@mcp-file-servers/sqlite";
import type { IndexChange } from "../../../domain/document-index.ts";
import type { FileRecord } from "../file-record.ts";
import { bringingLogIn, withRoomToFill } from "../index-file.ts";
import { BatchPace } from "./batch-pace.ts";
import { isLarge } from "./document-rows.ts";
import type { Differences } from "./look-at-disk.ts";
import { removeLooseRows } from "./loose-rows.ts";
import { type KnownFile, type ReadSetting, type RecordRead, readRecord } from "./read-record.ts";
import { type LargeSetting, writeLargeNote } from "./write-large-note.ts";
import { IndexChanges } from "./write-records.ts";

export interface UpdateSetting extends ReadSetting, Omit<LargeSetting, "wrote"> {
  /** Called after each transaction with the documents that are in the index by then. */
  indexed(count: number): void;
}

/** From how many documents on the pages that they touch no longer fit into the usual room. */
const manyDocuments = 15_000;

/** Brings the index in step with the disk. */
export function bringUpToDate(
  database: Database,
  differences: Differences,
  setting: UpdateSetting,
): Promise<IndexChange> {
  const work = () => takeIn(database, differences, setting);
  return differences.toRead.length < manyDocuments ? work() : withRoomToFill(database, work);
}

async function takeIn(
  database: Database,
  { toRead, gone, newFolders, goneFolders }: Differences,
  setting: UpdateSetting,
): Promise<IndexChange> {
  const changed: string[] = [];
  let listChanged = gone.length > 0;
  const wrote = bringingLogIn(database);
  await writeFolders(database, newFolders, goneFolders);
  const removing = new BatchPace();
  for (let start = 0; start < gone.length; ) {
    setting.signal.throwIfAborted();
    const ids = gone.slice(start, start + removing.documents);
    changed.push(...(await removeDocuments(database, ids, removing)));
    start += ids.length;
    await wrote();
  }
  const writing = new BatchPace();
  for (let start = 0; start < toRead.length; ) {
    const records: Exclude<RecordRead, undefined>[] = [];
    const large: FileRecord[] = [];
    let characters = 0;
    const end = Math.min(toRead.length, start + writing.documents);
    const known = await knownFiles(
      database,
      toRead.slice(start, end).map(({ path }) => path),
    );
    for (; start < end && characters < writing.characters; start += 1) {
      await setting.slice.turn(setting.signal);
      const found = toRead[start];
      const record = found === undefined ? undefined : readRecord(found, known.get(found.path), setting);
      if (record === undefined) continue;
      if ("facts" in record) characters += 500 + record.body.length;
      if ("facts" in record && isLarge(record)) large.push(record);
      else records.push(record);
    }
    for (const record of large) {
      if (await writeLargeNote(database, record, { ...setting, wrote })) listChanged = true;
      changed.push(record.path);
    }
    const written = await writeRecords(database, records, writing);
    for (const { path } of written.documents) changed.push(path);
    listChanged ||= written.added > 0;
    setting.indexed(start);
    await wrote();
  }
  await removeLooseRows(database, setting.signal, wrote);
  return { paths: changed, listChanged };
}

async function writeFolders(
  database: Database,
  added: readonly string[],
  gone: readonly string[],
): Promise<void> {
  const most = 1_000;
  for (let start = 0; start < Math.max(added.length, gone.length); start += most) {
    await database.write((writer) => {
      const changes = new IndexChanges(writer);
      for (const path of gone.slice(start, start + most)) changes.removeFolder(path);
      for (const path of added.slice(start, start + most)) changes.addFolder(path);
      changes.finish();
    });
  }
}

function removeDocuments(database: Database, ids: readonly number[], pace: BatchPace): Promise<string[]> {
  return paced(database, pace, (writer) => {
    const rows = writer.all<{ path: string }>(
      "SELECT path FROM document WHERE id IN (SELECT value FROM json_each(?))",
      [JSON.stringify(ids)],
    );
    const changes = new IndexChanges(writer);
    for (const id of ids) changes.remove(id);
    changes.finish();
    return rows.map(({ path }) => path);
  });
}

/** A transaction that the pace is told of; what it waits for others does not count. */
async function paced<Result>(
  database: Database,
  pace: BatchPace,
  work: (writer: Writer) => Result,
): Promise<Result> {
  let since = 0;
  const result = await database.write((writer) => {
    since = performance.now();
    return work(writer);
  });
  pace.took(performance.now() - since);
  return result;
}

async function knownFiles(database: Database, paths: readonly string[]): Promise<Map<string, KnownFile>> {
  type Row = { path: string; firstSeen: number; modified: number; size: number; etag: string | null };
  const rows = await database.read(({ all }) =>
    all<Row>(
      `SELECT document.path AS path, first_seen AS firstSeen, modified, size, facts ->> 'etag' AS etag
         FROM json_each(?) AS wanted JOIN document ON document.path = wanted.value
         JOIN content ON content.id = document.id`,
      [JSON.stringify(paths)],
    ),
  );
  return new Map(rows.map(({ path, etag, ...known }) => [path, { ...known, etag: etag ?? undefined }]));
}

function writeRecords(
  database: Database,
  records: readonly Exclude<RecordRead, undefined>[],
  pace: BatchPace,
): Promise<{ documents: FileRecord[]; added: number }> {
  return paced(database, pace, (writer) => {
    const changes = new IndexChanges(writer);
    const documents = records.filter((record): record is FileRecord => "facts" in record);
    let added = 0;
    for (const record of documents) if (changes.put(record)) added += 1;
    for (const record of records) if (!("facts" in record)) changes.restamp(record.path, record.stamp);
    changes.finish();
    return { documents, added };
  });
}
