import type { DocumentIndex } from "../domain/document-index.ts";
import type { OkfMode } from "../domain/okf.ts";
import type { Visibility } from "../domain/visibility.ts";
import { MemoryIndex, type WatchMode } from "./memory-index.ts";

export interface IndexSettings {
  /** The real path of the vault's folder. */
  readonly root: string;
  readonly visibility: Visibility;
  readonly okf: OkfMode;
  readonly watch: WatchMode;
  /** Files up to which chokidar watches; above, each folder is watched by itself. 20,000 unless said otherwise. */
  readonly mostByChokidar?: number;
  now(): Date;
  warn(message: string, error: unknown): void;
}

/** The index of a vault. What it needs is loaded with its first use. */
export function createIndex(settings: IndexSettings): DocumentIndex {
  const { root, visibility, okf, watch, mostByChokidar = 20_000, now, warn } = settings;
  return new MemoryIndex(
    async () => {
      const [
        { DiskMirror },
        { DocumentStore },
        { watchWithChokidar },
        { watchEachFolder },
        { createYamlParser },
      ] = await Promise.all([
        import("./disk-mirror.ts"),
        import("./document-store.ts"),
        import("./chokidar-watch.ts"),
        import("./each-folder-watch.ts"),
        import("./yaml-frontmatter.ts"),
      ]);
      const store = new DocumentStore(okf, now);
      const warnOf = (path: string, error: unknown) => warn(`left out ${JSON.stringify(path)}`, error);
      const mirror = new DiskMirror({ root, visibility, warn: warnOf }, store, createYamlParser(), now);
      const place = { root, visibility };
      return {
        store,
        mirror,
        watch: async (events) =>
          mirror.progress.found > mostByChokidar
            ? watchEachFolder(place, store.folders, events)
            : watchWithChokidar(place, events),
      };
    },
    { watch, warn },
  );
}
