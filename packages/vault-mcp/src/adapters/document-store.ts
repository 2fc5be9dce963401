import { randomUUID } from "node:crypto";
import type { Document } from "../domain/document.ts";
import { compareBinary } from "../domain/fold.ts";
import { findHints } from "../domain/list-hints.ts";
import { checkWalk, cutPage } from "../domain/list-page.ts";
import type { ListHint, ListPage, ListQuery, ListRequest } from "../domain/listing.ts";
import { bundleFile, isBundle, type OkfMode } from "../domain/okf.ts";
import { type Selection, selectDocuments } from "../domain/select-documents.ts";
import type { Snapshot } from "../domain/snapshot.ts";

interface Answered {
  readonly selection: Selection;
  readonly hints: readonly ListHint[];
}

/** Selections that are kept for their later pages. */
const mostKept = 16;

/** The documents in memory, with what was selected of them in the present generation. */
export class DocumentStore {
  readonly #epoch = randomUUID().slice(0, 8);
  readonly #okf: OkfMode;
  readonly #now: () => Date;
  readonly #documents = new Map<string, Document>();
  #folders = new Set<string>();
  #generation = 0;
  #snapshot: Snapshot | undefined;
  readonly #kept = new Map<string, Answered>();

  constructor(okf: OkfMode, now: () => Date) {
    this.#okf = okf;
    this.#now = now;
  }

  get paths(): Iterable<string> {
    return this.#documents.keys();
  }

  get folders(): ReadonlySet<string> {
    return this.#folders;
  }

  get(path: string): Document | undefined {
    return this.#documents.get(path);
  }

  /** Begins a generation; what comes, changes or goes from now on belongs to it. */
  change(): {
    readonly generation: number;
    put(document: Document): void;
    remove(path: string): void;
    setFolders(folders: Set<string>): void;
  } {
    this.#generation += 1;
    this.#snapshot = undefined;
    this.#kept.clear();
    return {
      generation: this.#generation,
      put: (document) => this.#documents.set(document.path, document),
      remove: (path) => this.#documents.delete(path),
      setFolders: (folders) => {
        this.#folders = folders;
      },
    };
  }

  list(request: ListRequest): ListPage {
    const { query, walk } = request;
    checkWalk(walk, this.#epoch);
    const now = this.#now();
    const { selection, hints } = this.#answer(query, now);
    const cut = cutPage(selection, request, { isBundle: this.#current().isBundle, now });
    return {
      ...cut,
      total: selection.documents.length,
      walk: walk ?? { epoch: this.#epoch, generation: this.#generation },
      changedSince: walk !== undefined && walk.generation !== this.#generation,
      hints,
    };
  }

  #answer(query: ListQuery, now: Date): Answered {
    // What is stale depends on the hour, so nothing is kept of a query that asks for it.
    const timeless = !query.conditions.some(({ key }) => key === "stale");
    const name = JSON.stringify(query);
    const kept = timeless ? this.#kept.get(name) : undefined;
    if (kept !== undefined) return kept;
    const snapshot = this.#current();
    const answered = {
      selection: selectDocuments(snapshot, query, now),
      hints: findHints(snapshot, query, now),
    };
    if (timeless) this.#kept.set(name, answered);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest);
    return answered;
  }

  #current(): Snapshot {
    this.#snapshot ??= {
      documents: [...this.#documents.values()].sort((a, b) => compareBinary(a.path, b.path)),
      folders: this.#folders,
      isBundle: isBundle(this.#okf, this.#rootIndex()),
    };
    return this.#snapshot;
  }

  #rootIndex() {
    const document = this.#documents.get(bundleFile);
    return document?.kind === "note" ? document.frontmatter : undefined;
  }
}
