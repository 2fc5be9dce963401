import type { Database } from "@mcp-file-servers/sqlite";
import type { TimeSlice } from "../../time-slice.ts";
import type { FileRecord } from "../file-record.ts";
import { innerRows, insertRows, insertText, rowsOfStatement, type Statement } from "./document-rows.ts";
import { newLooseId } from "./loose-rows.ts";
import { IndexChanges } from "./write-records.ts";

/** Statements of one transaction: each inserts a part of a body, or some hundred rows. */
const statementsAtOnce = 6;

export interface LargeSetting {
  /** Tells those who write to an index at the same time apart. */
  readonly owner: string;
  readonly signal: AbortSignal;
  readonly slice: TimeSlice;
  /** Called after each transaction. */
  wrote(): Promise<void>;
}

/**
 * Puts a document of which there is too much for one transaction; whether it is a new one. What it has inside is written
 * before, under an id that no document has. The last transaction gives the document that id, so that it is seen as a
 * whole or not at all, whatever happens meanwhile.
 */
export async function writeLargeNote(
  database: Database,
  record: FileRecord,
  setting: LargeSetting,
): Promise<boolean> {
  for (;;) {
    const added = await attempt(database, record, setting);
    if (added !== undefined) return added;
  }
}

/** Undefined when somebody who began to lead has taken for abandoned what was written here. */
async function attempt(
  database: Database,
  record: FileRecord,
  { owner, signal, slice, wrote }: LargeSetting,
): Promise<boolean | undefined> {
  const id = await database.write((writer) => {
    // What failed here before.
    writer.run("UPDATE loose SET owner = NULL WHERE owner = ?", [owner]);
    const own = newLooseId(writer);
    writer.run("INSERT INTO loose (id, owner) VALUES (?, ?)", [own, owner]);
    return own;
  });
  /** Does it as long as the id is ours. */
  const whileOwned = <Result>(work: (changes: IndexChanges, run: (one: Statement) => void) => Result) =>
    database.write((writer) => {
      const owned = writer.get("SELECT 1 FROM loose WHERE id = ? AND owner = ?", [id, owner]);
      if (owned === undefined) return undefined;
      return work(new IndexChanges(writer), ({ sql, values }) => writer.run(sql, values));
    });
  for (const some of inSteps(contentOf(id, record))) {
    await slice.turn(signal);
    const done = await whileOwned((_, run) => {
      for (const statement of some) run(statement);
      return true;
    });
    if (done === undefined) return undefined;
    await wrote();
  }
  return whileOwned((changes, run) => {
    run({ sql: "DELETE FROM loose WHERE id = ?", values: [id] });
    const added = changes.put(record, id);
    changes.finish();
    return added;
  });
}

/** All that can be written before there is the document. */
function* contentOf(id: number, record: FileRecord): Generator<Statement> {
  for (const { body, search } of insertText(id, record)) {
    yield body;
    yield search;
  }
  for (const { table, count, row } of innerRows(record)) {
    for (let from = 0; from < count; from += rowsOfStatement) {
      const length = Math.min(rowsOfStatement, count - from);
      yield insertRows(
        table,
        Array.from({ length }, (_, index) => row(id, from + index)),
      );
    }
  }
}

function* inSteps(statements: Iterable<Statement>): Generator<Statement[]> {
  let some: Statement[] = [];
  for (const statement of statements) {
    some.push(statement);
    if (some.length < statementsAtOnce) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}
