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
  now(): Date;
  warn(message: string, error: unknown): void;
}

/** The index of a vault. What it needs is loaded with its first use. */
export function createIndex({ root, visibility, okf, watch, now, warn }: IndexSettings): DocumentIndex {
  return new MemoryIndex(
    async () => {
      const [{ DiskMirror }, { DocumentStore }, { watchFolders }, { createYamlParser }] = await Promise.all([
        import("./disk-mirror.ts"),
        import("./document-store.ts"),
        import("./folder-watcher.ts"),
        import("./yaml-frontmatter.ts"),
      ]);
      const store = new DocumentStore(okf, now);
      const warnOf = (path: string, error: unknown) => warn(`left out ${JSON.stringify(path)}`, error);
      const mirror = new DiskMirror({ root, visibility, warn: warnOf }, store, createYamlParser(), now);
      return { store, mirror, watch: (events) => watchFolders({ root, visibility }, events) };
    },
    { watch, warn },
  );
}
