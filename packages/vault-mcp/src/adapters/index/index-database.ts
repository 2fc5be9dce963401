import type { Database, Reader } from "@mcp-file-servers/sqlite";
import type { JsonObject } from "../../domain/json.ts";
import { bundleFile, isBundle, type OkfMode } from "../../domain/okf.ts";
import type { IndexConnection } from "./answering/index-snapshot.ts";
import { type IndexCounters, IndexView } from "./answering/index-view.ts";
import { KeptResults } from "./answering/kept-results.ts";
import { isBeyondUse, isCorrupt, openIndexDatabase } from "./index-file.ts";
import { Waiting, within } from "./waiting.ts";

/** Results that are kept between questions, bytes. */
const mostKeptBytes = 24_000_000;

/** How long a question waits for another index in the place of a damaged one, milliseconds. */
const isMadeAgainMs = 5_000;

export interface IndexDatabaseOptions {
  readonly okf: OkfMode;
  now(): Date;
  /** What was read shows that the index is damaged. */
  damaged(error: unknown): void;
}

/** The index as it is answered from; opened once there is one, and anew when another comes in its place. */
export class IndexDatabase implements IndexConnection {
  readonly #options: IndexDatabaseOptions;
  readonly #kept = new KeptResults(mostKeptBytes);
  readonly #reopened = new Waiting();
  #database: Database | undefined;
  #opening: Promise<void> | undefined;

  constructor(options: IndexDatabaseOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#database !== undefined;
  }

  /** Opens the index that lies there now; questions wait for it. */
  open(file: string): Promise<void> {
    const opening = openIndexDatabase(file).then((database) => {
      this.#database?.close();
      this.#database = database;
      this.#kept.clear();
      this.#reopened.wake();
    });
    this.#opening = opening;
    return opening;
  }

  async read<Result>(work: (view: IndexView) => Result): Promise<Result> {
    await this.#opening;
    const database = this.#database;
    if (database === undefined) throw new Error("the index is not open yet");
    try {
      return await database.read((reader) => work(this.#view(reader)));
    } catch (error) {
      if (this.#database !== database) return this.read(work);
      if (!isBeyondUse(error)) throw error;
      const another = this.#reopened.next();
      if (isCorrupt(error)) this.#options.damaged(error);
      if (await within(isMadeAgainMs, another, new AbortController().signal)) return this.read(work);
      throw error;
    }
  }

  close(): void {
    this.#database?.close();
    this.#database = undefined;
  }

  #view(reader: Reader): IndexView {
    const rows = reader.all<{ name: string; value: number | string }>(
      "SELECT name, value FROM meta WHERE name IN ('epoch', 'generation', 'membership')",
    );
    const values = Object.fromEntries(rows.map(({ name, value }) => [name, value]));
    const counters: IndexCounters = {
      epoch: String(values.epoch),
      generation: Number(values.generation),
      membership: Number(values.membership),
    };
    const { okf, now } = this.#options;
    return new IndexView(reader, counters, isBundle(okf, rootIndex(reader)), this.#kept, now());
  }
}

function rootIndex(reader: Reader): JsonObject | undefined {
  const row = reader.get<{ frontmatter: string | null }>(
    "SELECT facts -> 'frontmatter' AS frontmatter FROM document JOIN content USING (id) WHERE path = ? AND kind = 0",
    [bundleFile],
  );
  return row?.frontmatter == null ? undefined : JSON.parse(row.frontmatter);
}
