import type { Writer } from "@mcp-file-servers/sqlite";
import { folderOf } from "../../../domain/document.ts";
import { storableText } from "../../../domain/indexed-text.ts";
import { orderedText } from "../../../domain/listing/sort-order.ts";
import { okfFacts } from "../../../domain/okf.ts";
import type { FileRecord, StoredFacts } from "../file-record.ts";
import { innerTables, mostRows, rowOf, searchRowsOf, selectingTables } from "../schema.ts";
import {
  type Cell,
  innerRows,
  insertRows,
  insertText,
  type PartRows,
  type PartTable,
  rowsOfStatement,
  type Statement,
  selectIsLarge,
  selectingRows,
} from "./document-rows.ts";
import { abandon, newLooseId } from "./loose-rows.ts";

/** Paths of documents that went are kept for so many changes of that kind. */
const mostGone = 20_000;

/** What a transaction changes in the index; each is of one generation. */
export class IndexChanges {
  readonly #writer: Writer;
  readonly #rows = new Map<PartTable, (readonly Cell[])[]>();
  readonly #searched: Statement[] = [];
  #generation: number | undefined;
  #membershipChanged = false;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  /**
   * Puts a document in the place of the one that there is at its path; whether it is a new one.
   *
   * @param written the id of which the text and the inner rows are there already, and no document.
   */
  put(record: FileRecord, written?: number): boolean {
    const { path, kind, facts } = record;
    const changedIn = this.#begin();
    const isNote = kind === "note";
    const filterable = isNote && facts.parseError === undefined;
    const columns = [
      folderOf(path),
      isNote ? 0 : 1,
      filterable,
      record.modified,
      record.created,
      record.size,
      orderedText(facts.title ?? ""),
      changedIn,
      record.firstSeen,
      record.stamp,
    ];
    const known = this.#writer.get<{ id: number }>("SELECT id FROM document WHERE path = ?", [path])?.id;
    const id = known === undefined ? this.#insert(path, columns, written) : this.#idAfter(known, written);
    if (known !== undefined) {
      this.#writer.run(
        "UPDATE document SET id=?, folder=?, kind=?, filterable=?, modified=?, created=?, size=?, title=?, changed_in=?, first_seen=?, stamp=? WHERE id=?",
        [id, ...columns, known],
      );
    }
    this.#writer.run("INSERT INTO content (id, facts) VALUES (?, ?)", [id, storableJson(facts)]);
    if (filterable) this.#putOkf(id, facts.frontmatter ?? {});
    for (const rows of selectingRows(record, filterable)) this.#collect(id, rows);
    if (written === undefined) {
      for (const { body, search } of insertText(id, record)) {
        this.#run(body);
        this.#searched.push(search);
      }
      for (const rows of innerRows(record)) this.#collect(id, rows);
    }
    return known === undefined;
  }

  /** A file of the same content and times has another stamp. */
  restamp(path: string, stamp: string): void {
    this.#writer.run("UPDATE document SET stamp = ? WHERE path = ?", [stamp, path]);
  }

  remove(id: number): void {
    const generation = this.#begin();
    this.#membershipChanged = true;
    const path = this.#writer.get<{ path: string }>("SELECT path FROM document WHERE id = ?", [id])?.path;
    if (path === undefined) return;
    this.#writer.run("INSERT INTO gone (path, gone_in) VALUES (?, ?)", [path, generation]);
    this.#writer.run("DELETE FROM document WHERE id = ?", [id]);
    if (this.#removeSelecting(id)) abandon(this.#writer, id);
    else this.#removeInner(id);
  }

  /** The folder and those above it. */
  addFolder(path: string): void {
    for (let folder = path; folder !== ""; folder = folderOf(folder)) {
      const added = this.#writer.run("INSERT OR IGNORE INTO folder (path, name) VALUES (?, ?)", [
        folder,
        folder.normalize("NFC"),
      ]);
      if (added === 0) return;
      this.#begin();
    }
  }

  removeFolder(path: string): void {
    this.#begin();
    this.#writer.run("DELETE FROM folder WHERE path = ?", [path]);
  }

  /** Writes what was collected; to be called at the end of the transaction. */
  finish(): void {
    for (const [table, rows] of this.#rows) if (rows.length > 0) this.#run(insertRows(table, rows));
    // At the end and in order: the full-text index writes down what it has at each statement that inserts many rows, and
    // whenever a row comes before another that it has.
    this.#searched.sort(({ values: [one] }, { values: [other] }) => Number(one) - Number(other));
    for (const statement of this.#searched) this.#run(statement);
    if (this.#generation === undefined) return;
    this.#writer.run("UPDATE meta SET value = ? WHERE name = 'generation'", [this.#generation]);
    if (!this.#membershipChanged) return;
    this.#writer.run("UPDATE meta SET value = ? WHERE name = 'membership'", [this.#generation]);
    this.#writer.run("DELETE FROM gone WHERE id <= (SELECT max(id) FROM gone) - ?", [mostGone]);
  }

  #begin(): number {
    if (this.#generation === undefined) {
      const row = this.#writer.get<{ value: number }>("SELECT value FROM meta WHERE name = 'generation'");
      this.#generation = (row?.value ?? 0) + 1;
    }
    return this.#generation;
  }

  #insert(path: string, columns: readonly (string | number | boolean)[], id: number | undefined): number {
    this.#membershipChanged = true;
    this.#writer.run(
      "INSERT INTO document (id, path, folder, kind, filterable, modified, created, size, title, changed_in, first_seen, stamp) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
      [id ?? null, path, ...columns],
    );
    this.addFolder(folderOf(path));
    return id ?? this.#writer.get<{ id: number }>("SELECT last_insert_rowid() AS id")?.id ?? 0;
  }

  /** Removes what there is of a document that comes anew; the id that it then has: another one where that is much. */
  #idAfter(known: number, written: number | undefined): number {
    const isLarge = this.#removeSelecting(known);
    if (!isLarge && written === undefined) {
      this.#removeInner(known);
      return known;
    }
    abandon(this.#writer, known);
    this.#membershipChanged = true;
    return written ?? newLooseId(this.#writer);
  }

  /** Whether the document has more inside than can be removed here. */
  #removeSelecting(id: number): boolean {
    const range = [rowOf(id, 0), rowOf(id, mostRows)];
    for (const table of selectingTables) {
      this.#writer.run(`DELETE FROM ${table} WHERE id BETWEEN ? AND ?`, range);
    }
    this.#writer.run("DELETE FROM okf WHERE id = ?", [id]);
    this.#writer.run("DELETE FROM content WHERE id = ?", [id]);
    const { sql, values } = selectIsLarge(id);
    return this.#writer.get<{ large: number }>(sql, values)?.large === 1;
  }

  #removeInner(id: number): void {
    const range = [rowOf(id, 0), rowOf(id, mostRows)];
    this.#writer.run(`DELETE FROM search WHERE rowid IN (${searchRowsOf})`, range);
    for (const table of [...innerTables, "body"]) {
      this.#writer.run(`DELETE FROM ${table} WHERE id BETWEEN ? AND ?`, range);
    }
  }

  #putOkf(id: number, frontmatter: NonNullable<StoredFacts["frontmatter"]>): void {
    // Whether a note is stale depends on the time; only whether it can be is asked here.
    const { status, trustTier } = okfFacts(frontmatter, new Date(0));
    const staleAfter =
      typeof frontmatter.stale_after === "string" ? storableText(frontmatter.stale_after) : null;
    if (status === "stable" && trustTier === "unverified" && staleAfter === null) return;
    this.#writer.run("INSERT OR REPLACE INTO okf (id, status, trust_tier, stale_after) VALUES (?, ?, ?, ?)", [
      id,
      storableText(status),
      trustTier,
      staleAfter,
    ]);
  }

  /** Rows of several documents go by one statement. */
  #collect(document: number, { table, count, row }: PartRows): void {
    if (count === 0) return;
    const rows = this.#rows.get(table) ?? [];
    if (rows.length === 0) this.#rows.set(table, rows);
    for (let number = 0; number < count; number += 1) {
      rows.push(row(document, number));
      if (rows.length === rowsOfStatement) this.#run(insertRows(table, rows.splice(0)));
    }
  }

  #run({ sql, values }: Statement): void {
    this.#writer.run(sql, values);
  }
}

function storableJson(facts: StoredFacts): string {
  // JSON spells NUL and halves of characters as escapes of ASCII.
  return JSON.stringify(facts);
}
