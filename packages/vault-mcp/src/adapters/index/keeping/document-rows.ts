import { fold } from "../../../domain/fold.ts";
import { indexedText, storableText } from "../../../domain/indexed-text.ts";
import { linkKeys } from "../../../domain/links/link-path.ts";
import { propertyRows } from "../../../domain/note/property-rows.ts";
import { searchedTexts } from "../../../domain/search/searched-texts.ts";
import type { FileRecord } from "../file-record.ts";
import { type innerTables, mostRows, rowOf, searchRowOf, type selectingTables } from "../schema.ts";

export type Cell = string | number | null;
export type InnerTable = (typeof innerTables)[number];
export type PartTable = (typeof selectingTables)[number] | InnerTable;

/** A statement with what it is given. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly Cell[];
}

/** The rows of a document in one table, each made when it is asked for. */
export interface PartRows<Table extends PartTable = PartTable> {
  readonly table: Table;
  readonly count: number;
  row(document: number, number: number): readonly Cell[];
}

const columnsOf: Readonly<Record<PartTable, readonly string[]>> = {
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

/** Rows that one statement inserts: each call of SQLite from here costs more than a row. */
export const rowsOfStatement = 500;

/** A body is kept and indexed in parts of this length, so that no statement takes long, UTF-16 units. */
const partLength = 200_000;

/** What documents are selected by. */
export function selectingRows({ facts, aliases }: FileRecord, filterable: boolean): PartRows[] {
  const { frontmatter = {}, tags = [] } = facts;
  const properties = filterable ? propertyRows(frontmatter) : [];
  return [
    partRows("property", properties, ({ key, text, number, place, type, shown }) => [
      key,
      text ?? null,
      number ?? null,
      place,
      type,
      shown ?? null,
    ]),
    partRows("tag", tags, (tag) => [tag, fold(tag)]),
    partRows("alias", aliases, (alias) => [alias, fold(alias)]),
  ];
}

/** What a document has inside. */
export function innerRows({ headings, blocks, links }: FileRecord): PartRows<InnerTable>[] {
  return [
    partRows("heading", headings, ({ level, line, text }) => [level, line, cut(text)]),
    partRows("block", blocks, ({ line, id: name }) => [line, name]),
    partRows("link", links, (link) => {
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
    }),
  ];
}

function partRows<Table extends PartTable, Item>(
  table: Table,
  items: readonly Item[],
  toCells: (item: Item) => readonly Cell[],
): PartRows<Table> {
  return {
    table,
    count: Math.min(items.length, mostRows),
    row(document, number) {
      const cells = toCells(items[number] as Item);
      return [
        rowOf(document, number),
        ...cells.map((cell) => (typeof cell === "string" ? storableText(cell) : cell)),
      ];
    },
  };
}

export function insertRows(table: PartTable, rows: readonly (readonly Cell[])[]): Statement {
  const columns = columnsOf[table];
  const cells = columns.map((_, index) => `value ->> ${index}`);
  return {
    sql: `INSERT INTO ${table} (${columns.join(", ")}) SELECT ${cells.join(", ")} FROM json_each(?)`,
    values: [JSON.stringify(rows)],
  };
}

/** A part of a note's body: how it is kept, and how it is found. */
export interface InsertedPart {
  readonly body: Statement;
  readonly search: Statement;
}

export function* insertText(id: number, record: FileRecord): Generator<InsertedPart> {
  const { path, kind, facts, aliases, headings, body } = record;
  if (kind !== "note") return;
  const { title = "", tags = [], frontmatter = {} } = facts;
  const texts = searchedTexts(path, { title, aliases, headings, tags, frontmatter });
  // What is cut off is found all the same: headings and tags stand in the body or the properties too.
  let columns = [texts.title, texts.headings, texts.tags].map((text) =>
    indexedText(storableText(text.slice(0, partLength))),
  );
  for (let start = 0, part = 0; part === 0 || start < body.length; part += 1) {
    const end = endOfPart(body, start);
    const text = storableText(body.slice(start, end));
    const searched = indexedText(part === 0 ? `${text}\n${storableText(texts.properties)}` : text);
    yield {
      body: { sql: "INSERT INTO body (id, text) VALUES (?, ?)", values: [rowOf(id, part), text] },
      search: {
        sql: "INSERT INTO search (rowid, title, headings, tags, body) VALUES (?, ?, ?, ?, ?)",
        values: [searchRowOf(id, part), ...columns, searched],
      },
    };
    columns = ["", "", ""];
    start = end;
  }
}

/** A document is large when it has more parts of a body, or more rows of one kind, than go well into one transaction. */
const fewParts = 2;
const fewRows = 2_000;

export function isLarge(record: FileRecord): boolean {
  return record.body.length > fewParts * partLength || innerRows(record).some(({ count }) => count > fewRows);
}

/** Asks whether a document is one of those. */
export function selectIsLarge(id: number): Statement {
  const part = rowOf(id, fewParts);
  const row = rowOf(id, fewRows);
  return {
    sql: `SELECT EXISTS (SELECT 1 FROM body WHERE id = ?) OR EXISTS (SELECT 1 FROM heading WHERE id = ?)
      OR EXISTS (SELECT 1 FROM block WHERE id = ?) OR EXISTS (SELECT 1 FROM link WHERE id = ?) AS large`,
    values: [part, row, row, row],
  };
}

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
