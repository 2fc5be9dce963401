import type { Document } from "../../../domain/document.ts";
import { VaultError } from "../../../domain/errors.ts";
import { compareBinary } from "../../../domain/fold.ts";
import type { ListWalk } from "../../../domain/listing/listing.ts";
import { nameOf } from "../../../domain/note/note.ts";
import { okfFacts } from "../../../domain/okf.ts";
import { loosen, type SearchTerms } from "../../../domain/search/parse-search.ts";
import {
  mostHits,
  type SearchHit,
  type SearchPage,
  type SearchRequest,
  type SearchStage,
  type VaultSearch,
} from "../../../domain/search/vault-search.ts";
import { indexedWords } from "../../../domain/search/words.ts";
import { documentsInParts } from "../schema.ts";
import type { IdSet, IndexConnection, IndexSnapshot } from "./index-snapshot.ts";
import { KeptLists } from "./kept-lists.ts";
import { type Ranked, type Ranking, rankTerms, weighBundle, withoutTerms } from "./rank-documents.ts";
import { rankLiteral } from "./rank-literal.ts";
import { similarWords } from "./similar-words.ts";

/** The hits of a search in their order, cut to the best. */
interface HitList {
  readonly hits: readonly Ranked[];
  readonly beyond: boolean;
  readonly stage: SearchStage;
}

/** So many more than are given are weighed anew: by their names and, in a bundle, by what they are. */
const mostWeighed = mostHits * 4;

const mostKept = 32;

/** Search by SQLite's full text and by what the bodies hold. */
export class SqliteSearch implements VaultSearch {
  readonly #connection: IndexConnection;
  readonly #now: () => Date;
  readonly #kept = new KeptLists<HitList>(mostKept);

  constructor(connection: IndexConnection, now: () => Date) {
    this.#connection = connection;
    this.#now = now;
  }

  async search(request: SearchRequest, signal: AbortSignal): Promise<SearchPage> {
    const { walk, list } = await this.#list(request, signal);
    return this.#connection.read((snapshot) => this.#page(snapshot, request, walk, list));
  }

  similarWords(words: readonly string[]): Promise<readonly string[]> {
    return this.#connection.read((snapshot) => similarWords(snapshot, words));
  }

  /** The hits as they were on the first page of a walk. */
  async #list(request: SearchRequest, signal: AbortSignal): Promise<{ walk: ListWalk; list: HitList }> {
    const { scope, wanted } = request;
    const nameIn = ({ epoch, generation }: ListWalk) => JSON.stringify([epoch, generation, scope, wanted]);
    const current = await this.#connection.read(({ epoch, generation }) => ({ epoch, generation }));
    const walk = request.walk ?? current;
    // What is stale depends on the hour.
    const timeless = request.walk !== undefined || !scope.conditions.some(({ key }) => key === "stale");
    const kept = timeless ? this.#kept.get(nameIn(walk)) : undefined;
    if (kept !== undefined) return { walk, list: kept };
    if (walk.epoch !== current.epoch || walk.generation !== current.generation) {
      throw new VaultError("INVALID_CURSOR", {
        reason: "the vault changed since the first page, and the order of its hits is not kept any more",
      });
    }
    const list =
      wanted.kind === "literal"
        ? await rankLiteral(this.#connection, scope, wanted.text, signal)
        : await this.#connection.read((snapshot) => this.#rankWords(snapshot, scope, wanted.terms));
    this.#kept.keep(nameIn(walk), list);
    return { walk, list };
  }

  #rankWords(snapshot: IndexSnapshot, scope: SearchRequest["scope"], terms: SearchTerms): HitList {
    const selected = snapshot.select({ ...scope, includeAttachments: false });
    const allowed = withoutTerms(snapshot, terms.unwanted, selected);
    const { stage, ranking } = this.#rankByStage(snapshot, terms, allowed);
    const beyond = ranking.total > mostHits;
    const best = inOrder(snapshot, ranking.best, terms.names);
    if (!snapshot.isBundle) return { hits: best.slice(0, mostHits), beyond, stage };
    const documents = documentsById(snapshot, best);
    return { hits: weighBundle(best, documents, this.#now()).slice(0, mostHits), beyond, stage };
  }

  #rankByStage(
    snapshot: IndexSnapshot,
    { wanted, spare }: SearchTerms,
    allowed: IdSet,
  ): { stage: SearchStage; ranking: Ranking } {
    const long = longDocuments(snapshot);
    const anyOf = loosen(wanted);
    const stages = [
      { stage: "all", terms: wanted, mode: { join: "AND", prefixes: false, spare, long } },
      { stage: "prefixes", terms: wanted, mode: { join: "AND", prefixes: true, spare, long } },
      // Where words that begin so count as well, whole ones count twice.
      { stage: "any", terms: anyOf, mode: { join: "OR", prefixes: true, spare: [...spare, ...anyOf], long } },
    ] as const;
    for (const { stage, terms, mode } of stages) {
      const ranking = rankTerms(snapshot, terms, mode, allowed, mostWeighed);
      if (ranking.total > 0) return { stage, ranking };
    }
    return { stage: "any", ranking: { best: [], total: 0 } };
  }

  #page(snapshot: IndexSnapshot, { after, limit }: SearchRequest, walk: ListWalk, list: HitList): SearchPage {
    const { hits, beyond, stage } = list;
    const changedSince = snapshot.generation !== walk.generation;
    const start = after === undefined ? 0 : hits.findIndex(({ id }) => id === after) + 1;
    if (after !== undefined && start === 0) {
      throw new VaultError("INVALID_CURSOR", { reason: "it is none of this search" });
    }
    const now = this.#now();
    const page: SearchHit[] = [];
    let at = start;
    for (; at < hits.length && page.length < limit; at += limit) {
      const next = hits.slice(at, at + limit);
      const documents = documentsById(snapshot, next);
      for (const { id, score } of next) {
        const document = documents.get(id);
        if (document === undefined || document.changedIn > walk.generation) continue;
        const okf =
          snapshot.isBundle && document.kind === "note" ? okfFacts(document.frontmatter, now) : undefined;
        page.push({ id, document, score, okf });
      }
    }
    const cut = page.slice(0, limit);
    const last = cut.at(-1);
    const lastAt = last === undefined ? hits.length : hits.findIndex(({ id }) => id === last.id) + 1;
    const more = page.length > limit || lastAt < hits.length;
    return { hits: cut, more, total: hits.length, beyond, stage, walk, changedSince };
  }
}

/** Whoever types a note's very name wants that note. */
const nameFactor = 1.5;

/** The best first, equal ones by path: the same search gives the same order after the index was made anew. */
function inOrder({ reader }: IndexSnapshot, ranked: readonly Ranked[], wanted: readonly string[]): Ranked[] {
  const row = reader.get<{ names: string }>(
    // As one text: a row each would take longer than all the rest.
    `SELECT json_group_array(json_array(id, path, title)) AS names FROM document
      WHERE id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(ranked.map(({ id }) => id))],
  );
  const names: [id: number, path: string, title: string][] = JSON.parse(row?.names ?? "[]");
  const namesOf = new Map(names.map(([id, path, title]) => [id, { path, title }]));
  const weighed = ranked.map(({ id, score }) => {
    const { path = "", title = "" } = namesOf.get(id) ?? {};
    const isNamed = [title, nameOf(path).replace(/\.[^.]*$/, "")].some((name) =>
      wanted.some((words) => isNear(name, words) && indexedWords(name) === words),
    );
    return { id, path, score: isNamed ? score * nameFactor : score };
  });
  return weighed.sort((a, b) => b.score - a.score || compareBinary(a.path, b.path));
}

/** Whether a name can come to the same words: marks and accents make it somewhat longer. */
function isNear(name: string, words: string): boolean {
  return name.length >= words.length / 2 && name.length <= words.length + 20;
}

function documentsById(snapshot: IndexSnapshot, ranked: readonly Ranked[]): Map<number, Document> {
  const found = new Map<number, Document>();
  for (const { id } of ranked) {
    const [document] = snapshot.documents([id]);
    if (document !== undefined) found.set(id, document);
  }
  return found;
}

/** Documents whose text is in several rows. */
function longDocuments({ reader }: IndexSnapshot): ReadonlySet<number> {
  return new Set(reader.all<{ id: number }>(documentsInParts).map(({ id }) => id));
}
