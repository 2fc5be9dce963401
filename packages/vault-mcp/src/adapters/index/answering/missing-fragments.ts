import { fold } from "../../../domain/fold.ts";
import { anchorsOf, headingFinder } from "../../../domain/graph/find-fragment.ts";
import { rowOf } from "../schema.ts";
import type { IndexSnapshot } from "./index-snapshot.ts";

/** A link to a heading or block of a document. */
export interface FragmentLink {
  readonly id: number;
  /** Path of the file that holds the link. */
  readonly source: string;
  /** Path of the document that it leads to. */
  readonly target: string;
  readonly heading: string | null;
  readonly block: string | null;
}

/** Those of some links that lead to a note which has no such heading or block. */
export function missingFragments(snapshot: IndexSnapshot, links: readonly FragmentLink[]): FragmentLink[] {
  const targets = JSON.stringify([...new Set(links.map(({ target }) => target))]);
  const notes = snapshot.reader.all<{ id: number; path: string }>(
    "SELECT id, path FROM document WHERE path IN (SELECT value FROM json_each(?)) AND kind = 0",
    [targets],
  );
  const marks = new Map(notes.map(({ id, path }) => [path, new NoteMarks(snapshot, id)]));
  return links.filter(({ target, heading, block }) => {
    const note = marks.get(target);
    if (note === undefined) return false;
    return block === null ? !note.hasHeading(heading ?? "") : !note.hasBlock(block);
  });
}

/** What of a note links can name, read when it is asked for. */
class NoteMarks {
  readonly #snapshot: IndexSnapshot;
  readonly #id: number;
  #isHeading: ((name: string) => boolean) | undefined;
  #anchors: ReadonlySet<string> | undefined;
  #blocks: ReadonlySet<string> | undefined;

  constructor(snapshot: IndexSnapshot, id: number) {
    this.#snapshot = snapshot;
    this.#id = id;
  }

  hasHeading(name: string): boolean {
    this.#isHeading ??= headingFinder(this.#rows("SELECT text AS name FROM heading"));
    if (this.#isHeading(name)) return true;
    this.#anchors ??= anchorsOf(this.#rows("SELECT text AS name FROM body").join(""));
    return this.#anchors.has(name);
  }

  hasBlock(id: string): boolean {
    this.#blocks ??= new Set(this.#rows("SELECT name FROM block").map(fold));
    return this.#blocks.has(fold(id));
  }

  #rows(select: string): string[] {
    const range = [rowOf(this.#id, 0), rowOf(this.#id + 1, 0)];
    const rows = this.#snapshot.reader.all<{ name: string }>(`${select} WHERE id >= ? AND id < ?`, range);
    return rows.map(({ name }) => name);
  }
}
