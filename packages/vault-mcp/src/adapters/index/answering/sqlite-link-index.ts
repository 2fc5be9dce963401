import type { DocumentIndex } from "../../../domain/document-index.ts";
import type { LinkIndex } from "../../../domain/writing/rename/link-index.ts";
import type { LinkedFiles } from "../../../domain/writing/rename/rename-planner.ts";
import { visibleDocuments } from "./document-list.ts";
import type { IndexConnection, IndexSnapshot } from "./index-snapshot.ts";

/** For longer reading the texts is not worth waiting, milliseconds. */
const settlesWithinMs = 10_000;

/** A file as large may have more links than are kept of one, or too much to be looked at for links, bytes. */
const largeFrom = 300_000;

/** The links in the index, for those who change them. */
export class SqliteLinkIndex implements LinkIndex {
  readonly #index: DocumentIndex;
  readonly #connection: IndexConnection;

  constructor(index: DocumentIndex, connection: IndexConnection) {
    this.#index = index;
    this.#connection = connection;
  }

  async current(signal: AbortSignal): Promise<LinkedFiles | undefined> {
    if (!(await this.#index.settle(settlesWithinMs, signal))) return undefined;
    return this.#connection.read((snapshot) => {
      const files = visibleDocuments(snapshot).paths;
      return { files, aliases: aliasesOf(snapshot, new Set(files)) };
    });
  }

  async sources(keys: Iterable<string>): Promise<readonly string[]> {
    const names = JSON.stringify([...keys]);
    return this.#connection.read((snapshot) => {
      const visible = new Set(visibleDocuments(snapshot).paths);
      const rows = snapshot.reader.all<{ path: string }>(
        `SELECT path FROM document WHERE id IN (
           SELECT id >> 16 FROM link WHERE name IN (SELECT value FROM json_each(?))
           UNION SELECT id >> 16 FROM link WHERE short_name IN (SELECT value FROM json_each(?))
         ) OR (kind = 0 AND filterable = 0) OR (size >= ? AND (kind = 0 OR path LIKE '%.canvas'))
         ORDER BY path`,
        [names, names, largeFrom],
      );
      return rows.map(({ path }) => path).filter((path) => visible.has(path));
    });
  }
}

function aliasesOf(
  { reader }: IndexSnapshot,
  visible: ReadonlySet<string>,
): ReadonlyMap<string, readonly string[]> {
  const rows = reader.all<{ path: string; aliases: string }>(
    `SELECT document.path AS path, json_group_array(alias.alias) AS aliases
     FROM alias JOIN document ON document.id = alias.id >> 16 GROUP BY alias.id >> 16`,
  );
  return new Map(
    rows
      .filter(({ path }) => visible.has(path))
      .map(({ path, aliases }): [string, string[]] => [path, JSON.parse(aliases)]),
  );
}
