import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@mcp-file-servers/sqlite";
import type { IndexConnection } from "../../src/adapters/index/answering/index-snapshot.ts";
import { rowOf, schema, searchRowOf } from "../../src/adapters/index/schema.ts";
import { createYamlParser } from "../../src/adapters/yaml-frontmatter.ts";
import type { Document } from "../../src/domain/document.ts";
import { folderOf } from "../../src/domain/document.ts";
import { fold } from "../../src/domain/fold.ts";
import { indexedText } from "../../src/domain/indexed-text.ts";
import { linkKeys } from "../../src/domain/links/link-path.ts";
import { readIndexedNote } from "../../src/domain/note/indexed-note.ts";
import { selectDocuments } from "./select-documents.ts";

export async function filledIndex(files: Readonly<Record<string, string>>, isBundle = false) {
  const folder = mkdtempSync(join(tmpdir(), "vault-mcp-filled-"));
  const database = await openDatabase(join(folder, "index.db"), { synchronous: "NORMAL" });
  const documents: Document[] = [];
  const parse = createYamlParser();
  let generation = 1;
  const add = async (entries: Readonly<Record<string, string>>) => {
    generation += 1;
    await database.write((writer) => {
      for (const [path, text] of Object.entries(entries)) {
        const old = documents.findIndex((one) => one?.path === path);
        const kind = /\.md$/i.test(path) ? ("note" as const) : ("attachment" as const);
        const id = documents.length + 1;
        if (old >= 0) {
          writer.run("DELETE FROM document WHERE id = ?", [old + 1]);
          writer.run("DELETE FROM content WHERE id = ?", [old + 1]);
          writer.run("DELETE FROM search WHERE rowid = ?", [searchRowOf(old + 1, 0)]);
          delete documents[old];
        }
        const file = { path, sizeBytes: text.length, modifiedAt: 1, createdAt: 1, changedIn: generation };
        const note = readIndexedNote(path, { text: kind === "note" ? text : "", badLine: undefined }, parse);
        documents.push(
          kind === "note"
            ? { ...file, ...note.facts, kind, etag: "0123456789abcdef" }
            : { ...file, kind, mimeType: "application/octet-stream" },
        );
        writer.run("INSERT INTO document VALUES (?, ?, ?, ?, ?, 1, 1, ?, ?, ?, 1, '')", [
          id,
          path,
          folderOf(path),
          kind === "note" ? 0 : 1,
          kind === "note",
          text.length,
          fold(note.facts.title),
          generation,
        ]);
        writer.run("INSERT INTO content VALUES (?, '{}')", [id]);
        writer.run("INSERT INTO body VALUES (?, ?)", [rowOf(id, 0), note.body]);
        for (const [at, alias] of note.aliases.entries())
          writer.run("INSERT INTO alias VALUES (?, ?, ?)", [rowOf(id, at), alias, fold(alias)]);
        for (const [at, { level, line, text }] of note.headings.entries())
          writer.run("INSERT INTO heading VALUES (?, ?, ?, ?)", [rowOf(id, at), level, line, text]);
        for (const [at, block] of note.blocks.entries())
          writer.run("INSERT INTO block VALUES (?, ?, ?)", [rowOf(id, at), block.line, block.id]);
        for (const [at, link] of note.links.entries()) {
          const [name = "", short = null] = linkKeys(link.path);
          writer.run("INSERT INTO link VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", [
            rowOf(id, at),
            link.kind,
            link.syntax,
            link.line,
            link.text,
            link.raw,
            link.path,
            link.heading,
            link.block,
            link.key,
            name,
            short,
          ]);
        }
        if (kind === "note") {
          writer.run("INSERT INTO search (rowid, title, headings, tags, body) VALUES (?, ?, ?, ?, ?)", [
            searchRowOf(id, 0),
            indexedText(note.facts.title),
            indexedText(note.headings.map((one) => one.text).join("\n")),
            indexedText(note.facts.tags.join(" ")),
            indexedText(note.body),
          ]);
        }
      }
    });
  };
  await database.write((writer) => writer.exec(schema));
  await add(files);
  const connection: IndexConnection = {
    read: (work) =>
      database.read((reader) =>
        work({
          reader,
          generation,
          epoch: "e",
          isBundle,
          select(conditions) {
            const set = new Uint8Array(documents.length + 2);
            const snapshot = {
              documents: documents.filter((one) => one !== undefined),
              isBundle,
            };
            const { documents: found } = selectDocuments(
              snapshot,
              { ...conditions, order: { key: "path", descending: false } },
              new Date(),
            );
            for (const one of found) set[documents.indexOf(one) + 1] = 1;
            return set;
          },
          documents: (ids) => ids.map((id) => documents[id - 1]).filter((one) => one !== undefined),
        }),
      ),
  };
  return {
    connection,
    add,
    dispose: () => {
      database.close();
      rmSync(folder, { recursive: true });
    },
  };
}
