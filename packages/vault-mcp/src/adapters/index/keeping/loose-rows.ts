import type { Database, Writer } from "@mcp-file-servers/sqlite";
import { innerTables, mostRows, rowOf, searchRowsOf } from "../schema.ts";

/** A new id that no document gets by itself. */
export function newLooseId({ run, get }: Writer): number {
  run(
    "INSERT INTO sqlite_sequence (name, seq) SELECT 'document', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'document')",
  );
  run("UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'document'");
  return get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'document'")?.seq ?? 1;
}

/** Leaves what an id has inside to `removeLooseRows`; no document may have the id. */
export function abandon(writer: Writer, id: number): void {
  writer.run("INSERT OR REPLACE INTO loose (id, owner) VALUES (?, NULL)", [id]);
}

/** What others were writing when they died; those who live write theirs anew. */
export async function abandonAll(database: Database): Promise<void> {
  const found = await database.read(({ get }) => get("SELECT 1 FROM loose WHERE owner IS NOT NULL"));
  if (found !== undefined) await database.write(({ run }) => run("UPDATE loose SET owner = NULL"));
}

/** What goes in one transaction. */
const rowsAtOnce = 2_000;
const partsAtOnce = 10;

/**
 * Removes what abandoned ids have, in as many transactions as that takes.
 *
 * @param wrote called after each of them.
 */
export async function removeLooseRows(
  database: Database,
  signal: AbortSignal,
  wrote: () => Promise<void>,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const loose = await database.read(({ get }) =>
      get<{ id: number }>("SELECT id FROM loose WHERE owner IS NULL LIMIT 1"),
    );
    if (loose === undefined) return;
    await database.write((writer) => removeSome(writer, loose.id));
    await wrote();
  }
}

function removeSome(writer: Writer, id: number): void {
  const range = [rowOf(id, 0), rowOf(id, mostRows)];
  let removed = writer.run(`DELETE FROM search WHERE rowid IN (${searchRowsOf} LIMIT ${partsAtOnce})`, range);
  const some = (table: string, most: number) =>
    writer.run(
      `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ${most})`,
      range,
    );
  removed += some("body", partsAtOnce);
  for (const table of innerTables) if (removed < rowsAtOnce) removed += some(table, rowsAtOnce);
  if (removed === 0) writer.run("DELETE FROM loose WHERE id = ?", [id]);
}
