import { createResolver, type Resolver } from "../../../domain/links/resolve-link.ts";
import { TimeSlice } from "../../time-slice.ts";
import { visibleDocuments } from "./document-list.ts";
import type { IndexConnection, IndexSnapshot } from "./index-snapshot.ts";

const sliceMs = 8;

/** A resolver for the files of one generation of the index. */
export interface CurrentResolver {
  readonly resolver: Resolver;
  readonly epoch: string;
  readonly generation: number;
}

/** Keeps one resolver in step with the index: what came or went since the last time is told to it. */
export class VaultResolver {
  readonly #connection: IndexConnection;
  readonly #resolver = createResolver([]);
  /** The aliases of the files that the resolver knows, as one text each. */
  #known = new Map<string, string>();
  #state: { readonly epoch: string; readonly generation: number } | undefined;
  #updating: Promise<CurrentResolver> | undefined;

  constructor(connection: IndexConnection) {
    this.#connection = connection;
  }

  /** The resolver as of now, or a little later. */
  async current(signal: AbortSignal): Promise<CurrentResolver> {
    // One update serves all who wait for it; whoever gave up must not end it for the others.
    this.#updating ??= this.#update().finally(() => {
      this.#updating = undefined;
    });
    const current = await this.#updating;
    signal.throwIfAborted();
    return current;
  }

  async #update(): Promise<CurrentResolver> {
    const wanted = await this.#connection.read((snapshot) => {
      const { epoch, generation } = snapshot;
      const isSame = this.#state?.epoch === epoch && this.#state.generation === generation;
      return { epoch, generation, files: isSame ? undefined : filesOf(snapshot) };
    });
    const { epoch, generation, files } = wanted;
    if (files !== undefined) {
      await this.#follow(files);
      this.#state = { epoch, generation };
    }
    return { resolver: this.#resolver, epoch, generation };
  }

  async #follow(files: ReadonlyMap<string, string>): Promise<void> {
    const slice = new TimeSlice(sliceMs);
    const { signal } = new AbortController();
    for (const path of this.#known.keys()) {
      if (!files.has(path)) this.#resolver.removeFile(path);
    }
    for (const [path, aliases] of files) {
      if (this.#known.get(path) === aliases) continue;
      this.#resolver.addFile(path, aliases === "" ? [] : JSON.parse(aliases));
      await slice.turn(signal);
    }
    this.#known = new Map(files);
  }
}

/** Every file with its aliases as JSON, empty where it has none. */
function filesOf(snapshot: IndexSnapshot): Map<string, string> {
  const files = new Map(visibleDocuments(snapshot).paths.map((path) => [path, ""]));
  const rows = snapshot.reader.all<{ path: string; aliases: string }>(
    `SELECT document.path AS path, json_group_array(alias.alias) AS aliases
     FROM alias JOIN document ON document.id = alias.id >> 16 GROUP BY alias.id >> 16`,
  );
  for (const { path, aliases } of rows) if (files.has(path)) files.set(path, aliases);
  return files;
}
