import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { type Database, openDatabase, SqliteError } from "@mcp-file-servers/sqlite";
import { schema } from "./schema.ts";

/** Pages of the file that a connection keeps in memory, kibibytes. More saves no time: the system keeps the file too. */
const cacheKibibytes = 2_048;

/** The same while many documents come in: each touches pages of all the indexes, anywhere in them. */
const fillingKibibytes = 32_768;

/** Pages of the write-ahead log from which on a commit brings them to the file itself; `bringingLogIn` comes before. */
const mostOfLog = 8_000;

/** Opens an index file, whatever is in it. */
export async function openIndexDatabase(path: string): Promise<Database> {
  const database = await openDatabase(path, { synchronous: "NORMAL" });
  await keepInMemory(database, cacheKibibytes);
  await database.read(({ all }) => all(`PRAGMA wal_autocheckpoint = ${mostOfLog}`));
  return database;
}

/** After so many transactions what they wrote is brought to the file itself: in all a tenth of a second of work. */
const transactionsOfLog = 3;

/**
 * To be called after each of many transactions: brings what they left in the write-ahead log to the file itself. Between
 * transactions, since a commit that does so takes twice as long and holds the others up; and after some of them, since
 * they write the same pages of the indexes.
 */
export function bringingLogIn(database: Database): () => Promise<void> {
  let transactions = 0;
  return async () => {
    transactions += 1;
    if (transactions % transactionsOfLog === 0)
      await database.read(({ all }) => all("PRAGMA wal_checkpoint(PASSIVE)"));
  };
}

/** Gives the work room for the pages of many documents, and takes it back afterwards. */
export async function withRoomToFill<Result>(
  database: Database,
  work: () => Promise<Result>,
): Promise<Result> {
  await keepInMemory(database, fillingKibibytes);
  try {
    return await work();
  } finally {
    await keepInMemory(database, cacheKibibytes);
    await database.read(({ all }) => all("PRAGMA shrink_memory"));
  }
}

async function keepInMemory(database: Database, kibibytes: number): Promise<void> {
  await database.read(({ all }) => all(`PRAGMA cache_size = -${kibibytes}`));
}

/** An index file that is open and of the wanted kind. */
export interface OpenedFile {
  readonly database: Database;
  /** Tells the file from another that is made in its place. */
  readonly inode: number;
}

/** Opens the index; undefined where there is none that can be used: missing, of another format or vault, or damaged. */
export async function openIndexFile(path: string, fingerprint: string): Promise<OpenedFile | undefined> {
  const inode = inodeOf(path);
  if (inode === undefined) return undefined;
  let database: Database | undefined;
  try {
    database = await openIndexDatabase(path);
    const row = await database.read(({ get }) =>
      get<{ value: string }>("SELECT value FROM meta WHERE name = 'fingerprint'"),
    );
    if (row?.value === fingerprint && inodeOf(path) === inode) return { database, inode };
  } catch (error) {
    if (!isBeyondUse(error)) {
      database?.close();
      throw error;
    }
  }
  database?.close();
  return undefined;
}

/** Makes an empty index in the place of whatever is there. */
export async function makeIndexFile(path: string, fingerprint: string): Promise<OpenedFile> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
  const database = await openIndexDatabase(path);
  await database.write(({ exec, run }) => {
    exec(schema);
    const values = { fingerprint, epoch: randomUUID().slice(0, 8), generation: 0, membership: 0, scan: "{}" };
    for (const [name, value] of Object.entries(values)) {
      run("INSERT INTO meta (name, value) VALUES (?, ?)", [name, value]);
    }
  });
  return { database, inode: inodeOf(path) ?? 0 };
}

/** The file's inode; undefined where there is no file. */
export function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

/** Whether an error means that the file is damaged. */
export function isCorrupt(error: unknown): boolean {
  if (!(error instanceof SqliteError)) return false;
  // A schema that is damaged has the code of any wrong statement.
  return error.code === "CORRUPT" || /malformed/.test(error.message);
}

/** Whether an error means that the file is no index that can be used, such as one that is being made. */
export function isBeyondUse(error: unknown): boolean {
  // OTHER: tables or columns that are not there.
  return error instanceof SqliteError && ["CORRUPT", "OTHER"].includes(error.code);
}
