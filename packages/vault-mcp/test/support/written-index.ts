import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listDocuments } from "../../src/adapters/index/answering/list-documents.ts";
import type { FileRecord, StoredFacts } from "../../src/adapters/index/file-record.ts";
import { IndexDatabase } from "../../src/adapters/index/index-database.ts";
import { makeIndexFile } from "../../src/adapters/index/index-file.ts";
import { IndexChanges } from "../../src/adapters/index/keeping/write-records.ts";
import { loadYamlParser } from "../../src/adapters/load-yaml-parser.ts";
import type { ListRequest } from "../../src/domain/listing/listing.ts";
import { readIndexedNote } from "../../src/domain/note/indexed-note.ts";
import type { OkfMode } from "../../src/domain/okf.ts";

/** An index whose documents a test writes itself. */
export async function writtenIndex(okf: OkfMode = "off") {
  const folder = mkdtempSync(join(tmpdir(), "vault-mcp-written-"));
  const file = join(folder, "index.sqlite");
  const { database } = await makeIndexFile(file, "test");
  const parseYaml = await loadYamlParser();
  const answering = new IndexDatabase({ okf, now: () => new Date(0), damaged: () => {} });
  await answering.open(file);
  const change = (work: (changes: IndexChanges) => void) =>
    database.write((writer) => {
      const changes = new IndexChanges(writer);
      work(changes);
      changes.finish();
    });
  return {
    answering,
    list: (request: ListRequest) => answering.read((view) => listDocuments(view, request)),
    put: (path: string, text: string, size = 0) =>
      change((changes) => changes.put(toRecord(path, text, size, parseYaml))),
    putAttachment: (path: string) =>
      change((changes) => {
        const record = toRecord(path, "", 0, parseYaml);
        changes.put({
          ...record,
          kind: "attachment",
          facts: { mimeType: "application/pdf" },
          headings: [],
          links: [],
        });
      }),
    addFolder: (path: string) => change((changes) => changes.addFolder(path)),
    remove: (path: string) =>
      database.write((writer) => {
        const changes = new IndexChanges(writer);
        const row = writer.get<{ id: number }>("SELECT id FROM document WHERE path = ?", [path]);
        if (row !== undefined) changes.remove(row.id);
        changes.finish();
      }),
    dispose() {
      answering.close();
      database.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function toRecord(
  path: string,
  text: string,
  size: number,
  parseYaml: Awaited<ReturnType<typeof loadYamlParser>>,
): FileRecord {
  const { facts, ...rest } = readIndexedNote(path, { text, badLine: undefined }, parseYaml);
  const { parseError, ...others } = facts;
  const stored: StoredFacts = { ...others, ...(parseError !== undefined && { parseError }) };
  const times = { modified: size, created: size, firstSeen: size, size };
  return { path, kind: "note", stamp: "", ...times, ...rest, facts: stored };
}
