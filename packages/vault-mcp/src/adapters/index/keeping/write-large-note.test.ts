import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "@mcp-file-servers/sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { etagOf } from "../../../domain/etag.ts";
import { readIndexedNote } from "../../../domain/note/indexed-note.ts";
import { TimeSlice } from "../../time-slice.ts";
import { createYamlParser } from "../../yaml-frontmatter.ts";
import type { FileRecord } from "../file-record.ts";
import { makeIndexFile } from "../index-file.ts";
import { bodyOf, documentOfSearchRow } from "../schema.ts";
import { isLarge } from "./document-rows.ts";
import { abandonAll, removeLooseRows } from "./loose-rows.ts";
import { writeLargeNote } from "./write-large-note.ts";
import { IndexChanges } from "./write-records.ts";

const { signal } = new AbortController();
const path = "large.md";
let folder: string;
let database: Database;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "vault-mcp-large-"));
  ({ database } = await makeIndexFile(join(folder, "index.sqlite"), "test"));
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

/** A note whose every line has a link, a block and a word of its own. */
function noteOf(name: string, lines: number): FileRecord {
  const text = Array.from(
    { length: lines },
    (_, at) => `${name}${at} [[${name} ${at}]] and more words ^b${at}\n\n`,
  );
  const parse = createYamlParser();
  const note = readIndexedNote(
    path,
    { text: `---\ntags: [${name}]\n---\n# ${name}\n${text.join("")}`, badLine: undefined },
    parse,
  );
  const times = { modified: 1, created: 1, firstSeen: 1, size: 1 };
  return { path, kind: "note", stamp: "", ...times, ...note };
}

const small = noteOf("small", 3);
const large = noteOf("first", 12_000);
const other = noteOf("second", 12_000);

/** What happens after each transaction; the work goes on in pieces, and may be left in the middle. */
function put(record: FileRecord, wrote: () => Promise<void> = async () => {}, into = database) {
  const setting = { owner: "test", signal, slice: new TimeSlice(30), wrote };
  return isLarge(record) ? writeLargeNote(into, record, setting) : change((changes) => changes.put(record));
}

/** Short, for a body that is not what it should be would fill many screens. */
const etag = (text: string | undefined) => (text === undefined ? undefined : etagOf(Buffer.from(text)));

const change = <Result>(work: (changes: IndexChanges) => Result) =>
  database.write((writer) => {
    const changes = new IndexChanges(writer);
    const result = work(changes);
    changes.finish();
    return result;
  });

const tidy = () => removeLooseRows(database, signal, async () => {});

/** What is seen of the note in every table, and whether there are rows of no document. */
async function seen() {
  return database.read(({ all, get }) => {
    const id = get<{ id: number }>("SELECT id FROM document WHERE path = ?", [path])?.id;
    const number = (select: string) => get<{ n: number }>(`SELECT count(*) AS n FROM ${select}`)?.n;
    const of = (table: string) => number(`${table} WHERE id >> 16 = ${id ?? 0}`);
    const strays = ["body", "heading", "block", "link", "tag"].map((table) =>
      number(`${table} WHERE id >> 16 NOT IN (SELECT id FROM document)`),
    );
    strays.push(
      number(
        `(SELECT id AS rowid FROM search_docsize) WHERE (${documentOfSearchRow}) NOT IN (SELECT id FROM document)`,
      ),
    );
    const found = (word: string) =>
      all<{ id: number }>(`SELECT ${documentOfSearchRow} AS id FROM search WHERE search MATCH ?`, [
        word,
      ]).some((row) => row.id === id);
    return {
      body: etag(get<{ body: string }>(`SELECT ${bodyOf("document.id")} AS body FROM document`)?.body),
      links: of("link"),
      blocks: of("block"),
      tags: of("tag"),
      first: found("first11999"),
      second: found("second11999"),
      strays: strays.every((count) => count === 0) ? 0 : strays,
      loose: number("loose"),
    };
  });
}

const nothing = {
  body: undefined,
  links: 0,
  blocks: 0,
  tags: 0,
  first: false,
  second: false,
  strays: 0,
  loose: 0,
};
const whole = { links: 12_000, blocks: 12_000, tags: 1, strays: 0, loose: 0 };
const isFirst = { ...whole, body: etag(large.body), first: true, second: false };
const isSecond = { ...whole, body: etag(other.body), first: false, second: true };

it("puts a large note, another in its place and a small one in its place, and removes it", async () => {
  expect(await put(large)).toBe(true);
  expect(await seen()).toEqual(isFirst);
  expect(await put(other)).toBe(false);
  await tidy();
  expect(await seen()).toEqual(isSecond);
  expect(await put(small)).toBe(false);
  await tidy();
  expect(await seen()).toEqual({ ...nothing, body: etag(small.body), links: 3, blocks: 3, tags: 1 });
  expect(await put(large)).toBe(false);
  await tidy();
  expect(await seen()).toEqual(isFirst);
  const id = await database.read(({ get }) => get<{ id: number }>("SELECT id FROM document"));
  await change((changes) => changes.remove(id?.id ?? 0));
  expect(await seen()).toMatchObject({ body: undefined, loose: 1 });
  await tidy();
  expect(await seen()).toEqual(nothing);
});

it("shows the old note as a whole until the new one is whole, and leaves nothing of one that was left half", async () => {
  await put(large);
  let transactions = 0;
  const stops = async () => {
    transactions += 1;
    expect(await seen()).toMatchObject({ ...isFirst, strays: expect.anything(), loose: 1 });
    if (transactions === 5) throw new Error("killed");
  };
  await expect(put(other, stops)).rejects.toThrow("killed");
  // Another one begins to lead.
  await abandonAll(database);
  await tidy();
  expect(await seen()).toEqual(isFirst);
});

it("writes the note anew when somebody takes what is there of it for abandoned", async () => {
  let transactions = 0;
  await put(large, async () => {
    transactions += 1;
    if (transactions !== 4) return;
    await abandonAll(database);
    await tidy();
  });
  expect(await seen()).toEqual(isFirst);
});

it("removes what it had written when it failed before", async () => {
  const fails = async () => {
    throw new Error("full");
  };
  await expect(put(large, fails)).rejects.toThrow("full");
  await put(other);
  await tidy();
  expect(await seen()).toEqual(isSecond);
});

it("gives no transaction more than a part of it", async () => {
  const given: number[] = [];
  const counting: Database = {
    ...database,
    write: (work) =>
      database.write((writer) => {
        given.push(0);
        const run: typeof writer.run = (sql, values = []) => {
          const characters = values.map((value) => String(value).length).reduce((sum, one) => sum + one, 0);
          given[given.length - 1] = (given.at(-1) ?? 0) + characters;
          return writer.run(sql, values);
        };
        return work({ ...writer, run });
      }),
  };
  const line = Array.from({ length: 600_000 }, (_, at) => `word${at}`).join(" ");
  const record = { ...noteOf("line", 30_000), body: line };
  await put(record, undefined, counting);
  expect((await seen()).body).toBe(etag(line));
  expect(given.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(2 * line.length);
  expect(Math.max(...given)).toBeLessThan(1_300_000);
});
