import type { Writer } from "@mcp-file-servers/sqlite";
import { folderOf } from "../../domain/document.ts";
import { fold } from "../../domain/fold.ts";
import { indexedText, storableText } from "../../domain/indexed-text.ts";
import { linkKeys } from "../../domain/links/link-path.ts";
import { okfFacts } from "../../domain/okf.ts";
import { propertyRows } from "../../domain/property-rows.ts";
import { searchedTexts } from "../../domain/search/searched-texts.ts";
import { orderedText } from "../../domain/sort-order.ts";
import type { FileRecord, StoredFacts } from "./file-record.ts";
import { mostRows, partTables, rowOf } from "./schema.ts";

/** A body is indexed in parts of this length, so that no statement takes long, UTF-16 units. */
const partLength = 200_000;

/** Paths of documents that went are kept for so many changes of that kind. */
const mostGone = 20_000;

type Cell = string | number | null;
type PartTable = (typeof partTables)[number];

const partColumns: Readonly<Record<PartTable, readonly string[]>> = {
  property: ["id", "key", "text", "number", "place", "type", "shown"],
  tag: ["id", "tag", "name"],
  alias: ["id", "alias", "name"],
  heading: ["id", "level", "line", "text"],
  block: ["id", "line", "name"],
  link: [
    "id",
    "kind",
    "syntax",
    "line",
    "text",
    "raw",
    "path",
    "heading",
    "block",
    "key",
    "name",
    "short_name",
  ],
};

/** What a transaction changes in the index; each is of one generation. */
export class IndexChanges {
  readonly #writer: Writer;
  readonly #rows = new Map<PartTable, Cell[][]>();
  #generation: number | undefined;
  #membershipChanged = false;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  /** Puts a document in the place of the one that there is at its path; whether it is a new one. */
  put(record: FileRecord): boolean {
    const { path, kind, facts, body } = record;
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
    const known = this.#writer.get<{ id: number }>("SELECT id FROM document WHERE path = ?", [path]);
    const id = known?.id ?? this.#insert(path, columns);
    if (known !== undefined) {
      this.#writer.run(
        "UPDATE document SET folder=?, kind=?, filterable=?, modified=?, created=?, size=?, title=?, changed_in=?, first_seen=?, stamp=? WHERE id=?",
        [...columns, id],
      );
      this.#removeParts(id);
    }
    this.#writer.run("INSERT OR REPLACE INTO content (id, facts, body) VALUES (?, ?, ?)", [
      id,
      storableJson(facts),
      storableText(body),
    ]);
    this.#putText(id, record);
    this.#putParts(id, record, filterable);
    return known === undefined;
  }

  /** A file of the same content and times has another stamp. */
  restamp(path: string, stamp: string): void {
    this.#writer.run("UPDATE document SET stamp = ? WHERE path = ?", [stamp, path]);
  }

  remove(id: number): void {
    const generation = this.#begin();
    this.#membershipChanged = true;
    this.#writer.run("INSERT INTO gone (path, gone_in) SELECT path, ? FROM document WHERE id = ?", [
      generation,
      id,
    ]);
    this.#writer.run("DELETE FROM document WHERE id = ?", [id]);
    this.#writer.run("DELETE FROM content WHERE id = ?", [id]);
    this.#removeParts(id);
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
    for (const [table, rows] of this.#rows) this.#insertRows(table, rows);
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

  #insert(path: string, columns: readonly (string | number | boolean)[]): number {
    this.#membershipChanged = true;
    this.#writer.run(
      "INSERT INTO document (path, folder, kind, filterable, modified, created, size, title, changed_in, first_seen, stamp) VALUES (?,?,?,?,?,?,?,?,?,?,?)",
      [path, ...columns],
    );
    const id = this.#writer.get<{ id: number }>("SELECT last_insert_rowid() AS id")?.id ?? 0;
    this.addFolder(folderOf(path));
    return id;
  }

  #removeParts(id: number): void {
    const range = [rowOf(id, 0), rowOf(id, mostRows)];
    for (const table of partTables) {
      this.#writer.run(`DELETE FROM ${table} WHERE id BETWEEN ? AND ?`, range);
    }
    this.#writer.run("DELETE FROM search WHERE rowid BETWEEN ? AND ?", range);
    this.#writer.run("DELETE FROM okf WHERE id = ?", [id]);
  }

  #putText(id: number, { path, kind, facts, aliases, headings, body }: FileRecord): void {
    if (kind !== "note") return;
    const { title = "", tags = [], frontmatter = {} } = facts;
    const texts = searchedTexts(path, { title, aliases, headings, tags, frontmatter });
    let columns = [texts.title, texts.headings, texts.tags].map((text) => indexedText(storableText(text)));
    for (let start = 0, part = 0; part === 0 || start < body.length; part += 1) {
      const end = endOfPart(body, start);
      const own = body.slice(start, end);
      const text = indexedText(storableText(part === 0 ? `${own}\n${texts.properties}` : own));
      this.#writer.run("INSERT INTO search (rowid, title, headings, tags, body) VALUES (?, ?, ?, ?, ?)", [
        rowOf(id, part),
        ...columns,
        text,
      ]);
      columns = ["", "", ""];
      start = end;
    }
  }

  #putParts(id: number, { facts, aliases, headings, blocks, links }: FileRecord, filterable: boolean): void {
    const { frontmatter = {}, tags = [] } = facts;
    if (filterable) {
      const properties = propertyRows(frontmatter);
      this.#collect("property", id, properties, ({ key, text, number, place, type, shown }) => [
        key,
        text ?? null,
        number ?? null,
        place,
        type,
        shown ?? null,
      ]);
      this.#putOkf(id, frontmatter);
    }
    this.#collect("tag", id, tags, (tag) => [tag, fold(tag)]);
    this.#collect("alias", id, aliases, (alias) => [alias, fold(alias)]);
    this.#collect("heading", id, headings, ({ level, line, text }) => [level, line, cut(text)]);
    this.#collect("block", id, blocks, ({ line, id: name }) => [line, name]);
    this.#collect("link", id, links, (link) => {
      const [name = "", shortName] = linkKeys(link.path);
      return [
        link.kind,
        link.syntax,
        link.line,
        cut(link.text),
        cut(link.raw),
        cut(link.path),
        link.heading === undefined ? null : cut(link.heading),
        link.block ?? null,
        link.key ?? null,
        name,
        shortName ?? null,
      ];
    });
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

  #collect<Item>(
    table: PartTable,
    document: number,
    items: readonly Item[],
    toCells: (item: Item) => readonly Cell[],
  ): void {
    if (items.length === 0) return;
    const rows = this.#rows.get(table) ?? [];
    if (rows.length === 0) this.#rows.set(table, rows);
    for (const [number, item] of items.slice(0, mostRows).entries()) {
      const cells = toCells(item).map((cell) => (typeof cell === "string" ? storableText(cell) : cell));
      rows.push([rowOf(document, number), ...cells]);
      if (rows.length === rowsOfStatement) this.#insertRows(table, rows.splice(0));
    }
  }

  /** Many rows by one statement: each call of SQLite from here costs more than a row. */
  #insertRows(table: PartTable, rows: readonly Cell[][]): void {
    if (rows.length === 0) return;
    const columns = partColumns[table];
    const cells = columns.map((_, index) => `value ->> ${index}`);
    this.#writer.run(
      `INSERT INTO ${table} (${columns.join(", ")}) SELECT ${cells.join(", ")} FROM json_each(?)`,
      [JSON.stringify(rows)],
    );
  }
}

const rowsOfStatement = 500;

/** More of a heading or a link is of no use to anybody, UTF-16 units. */
const mostOfText = 2_000;

function cut(text: string): string {
  return text.length <= mostOfText ? text : text.slice(0, mostOfText).toWellFormed();
}

/** Parts end between words where there is a space near. */
function endOfPart(body: string, start: number): number {
  const end = start + partLength;
  if (end >= body.length) return body.length;
  const space = body.lastIndexOf(" ", end);
  if (space > end - 1_000 && space > start) return space;
  return (body.charCodeAt(end) & 0xfc00) === 0xdc00 ? end - 1 : end;
}

function storableJson(facts: StoredFacts): string {
  // JSON spells NUL and halves of characters as escapes of ASCII.
  return JSON.stringify(facts);
}
