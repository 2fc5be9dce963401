import { isInFolder } from "../../../domain/document.ts";
import { compareBinary } from "../../../domain/fold.ts";
import type {
  CheckPage,
  CheckRequest,
  GraphLink,
  GraphReport,
  LinkDirection,
  LinkPage,
  LinkPosition,
  LinkRequest,
  VaultGraph,
} from "../../../domain/graph/vault-graph.ts";
import { fileKeys } from "../../../domain/links/link-path.ts";
import type { Resolver } from "../../../domain/links/resolve-link.ts";
import { type LinkRow, linkColumns, linkTables, toGraphLink } from "../link-rows.ts";
import { rowOf } from "../schema.ts";
import { visibleDocuments, visibleSet } from "./document-list.ts";
import type { IndexConnection, IndexSnapshot } from "./index-snapshot.ts";
import { comparePlaces, type LinkSurvey, type Place, surveyLinks } from "./link-survey.ts";
import { VaultResolver } from "./vault-resolver.ts";

/** The links in the index, resolved when they are asked for: a file that comes or goes changes where others lead. */
export class SqliteGraph implements VaultGraph {
  readonly #connection: IndexConnection;
  readonly #resolver: VaultResolver;
  #survey: { readonly name: string; readonly result: LinkSurvey } | undefined;

  constructor(connection: IndexConnection) {
    this.#connection = connection;
    this.#resolver = new VaultResolver(connection);
  }

  async links(request: LinkRequest, signal: AbortSignal): Promise<LinkPage | undefined> {
    const { resolver } = await this.#resolver.current(signal);
    return this.#connection.read((snapshot) => {
      const document = findDocument(snapshot, request.path);
      if (document === undefined) return undefined;
      const found: Record<LinkDirection, readonly GraphLink[]> = { outlinks: [], backlinks: [] };
      for (const direction of request.directions) {
        found[direction] =
          direction === "outlinks"
            ? outlinks(snapshot, document, resolver)
            : backlinks(snapshot, document, resolver);
      }
      return cutLinks(found, request);
    });
  }

  async check(request: CheckRequest, signal: AbortSignal, report?: GraphReport): Promise<CheckPage> {
    const { kind, folder, after, limit } = request;
    const { resolver, survey } = await this.#surveyed(signal, report);
    const isAsked = ({ path }: { readonly path: string }) => folder === undefined || isInFolder(path, folder);
    if (kind === "most_linked") {
      const found = survey.linked.filter(isAsked).slice(0, limit);
      return { found: found.map((one) => ({ ...one, link: undefined })), more: false, total: found.length };
    }
    const places = survey[kind].filter(isAsked);
    const start = after === undefined ? 0 : places.findIndex((place) => comparePlaces(place, after) > 0);
    const page = start < 0 ? [] : places.slice(start, start + limit);
    const links = await this.#connection.read((snapshot) => linksAt(snapshot, page, resolver));
    return {
      found: page.flatMap(({ path, id }) => {
        const link = links.get(id);
        // A link that went away meanwhile is left out.
        return id !== 0 && link === undefined ? [] : [{ path, link }];
      }),
      more: start >= 0 && start + limit < places.length,
      total: places.length,
    };
  }

  async #surveyed(signal: AbortSignal, report: GraphReport | undefined) {
    const { resolver, epoch, generation } = await this.#resolver.current(signal);
    const name = `${epoch}/${generation}`;
    if (this.#survey?.name !== name) {
      const documents = await this.#connection.read(visibleDocuments);
      const result = await surveyLinks(this.#connection, documents, resolver, signal, report);
      this.#survey = { name, result };
    }
    return { resolver, survey: this.#survey.result };
  }
}

interface Found {
  readonly id: number;
  readonly path: string;
}

/** The document at a path, whose names are compared in NFC. */
function findDocument(snapshot: IndexSnapshot, path: string): Found | undefined {
  const visible = visibleSet(snapshot);
  for (const spelling of new Set([path, path.normalize("NFC"), path.normalize("NFD")])) {
    const found = snapshot.reader.get<{ id: number; path: string }>(
      "SELECT id, path FROM document WHERE path = ?",
      [spelling],
    );
    if (found !== undefined && visible[found.id] === 1) return found;
  }
  return undefined;
}

function outlinks({ reader }: IndexSnapshot, { id }: Found, resolver: Resolver): GraphLink[] {
  const rows = reader.all<LinkRow>(
    `SELECT ${linkColumns} FROM ${linkTables} WHERE link.id >= ? AND link.id < ? AND link.path <> '' ORDER BY link.id`,
    [rowOf(id, 0), rowOf(id + 1, 0)],
  );
  return rows.map((row) => toGraphLink(row, resolver));
}

function backlinks(snapshot: IndexSnapshot, { id, path }: Found, resolver: Resolver): GraphLink[] {
  const { reader } = snapshot;
  const visible = visibleSet(snapshot);
  const aliases = reader.all<{ alias: string }>("SELECT alias FROM alias WHERE id >= ? AND id < ?", [
    rowOf(id, 0),
    rowOf(id + 1, 0),
  ]);
  const keys = JSON.stringify(
    fileKeys(
      path,
      aliases.map(({ alias }) => alias),
    ),
  );
  const rows = reader.all<LinkRow>(
    `SELECT ${linkColumns} FROM ${linkTables} WHERE link.path <> '' AND link.id IN (
       SELECT id FROM link WHERE name IN (SELECT value FROM json_each(?))
       UNION SELECT id FROM link WHERE short_name IN (SELECT value FROM json_each(?))
     )`,
    [keys, keys],
  );
  return rows
    .filter((row) => visible[Math.floor(row.id / rowOf(1, 0))] === 1 && row.source !== path)
    .map((row) => toGraphLink(row, resolver))
    .filter((link) => link.exists && link.target === path)
    .sort((a, b) => compareBinary(a.source, b.source) || a.id - b.id);
}

function cutLinks(found: Record<LinkDirection, readonly GraphLink[]>, request: LinkRequest): LinkPage {
  const all = (["outlinks", "backlinks"] as const).flatMap((direction) =>
    found[direction].map((link) => ({ link, position: { direction, source: link.source, id: link.id } })),
  );
  const { after, limit } = request;
  const start = after === undefined ? 0 : all.findIndex(({ position }) => isAfter(position, after));
  const links = start < 0 ? [] : all.slice(start, start + limit);
  return {
    links,
    more: start >= 0 && start + limit < all.length,
    outlinks: found.outlinks.length,
    backlinks: found.backlinks.length,
  };
}

function isAfter(position: LinkPosition, after: LinkPosition): boolean {
  if (position.direction !== after.direction) return position.direction === "backlinks";
  return (compareBinary(position.source, after.source) || position.id - after.id) > 0;
}

function linksAt(
  { reader }: IndexSnapshot,
  places: readonly Place[],
  resolver: Resolver,
): Map<number, GraphLink> {
  const ids = JSON.stringify(places.map(({ id }) => id).filter((id) => id !== 0));
  const rows = reader.all<LinkRow>(
    `SELECT ${linkColumns} FROM ${linkTables} WHERE link.id IN (SELECT value FROM json_each(?))`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, toGraphLink(row, resolver)]));
}
