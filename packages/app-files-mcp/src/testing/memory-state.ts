import type { ContentFacts } from "../domain/content.ts";
import { comparePaths } from "../domain/file-path.ts";
import type { Action, FileRecord, Usage } from "../domain/file-record.ts";

/** One change of a path; `content` is undefined for a deletion. */
export interface MemoryVersion {
  readonly record: FileRecord;
  readonly content: { readonly facts: ContentFacts; readonly bytes: Uint8Array } | undefined;
  readonly action: Action;
  readonly client: string;
  readonly filesVersion: number;
  replacedAt: number | undefined;
}

export interface MemoryFile {
  readonly path: string;
  /** The last change; `forgotten` deletions are no longer told of. */
  state: "current" | "deleted" | "forgotten";
  record: FileRecord;
  filesVersion: number;
  versions: MemoryVersion[];
}

export interface MemoryApp {
  readonly files: Map<string, MemoryFile>;
  filesVersion: number;
  feedFloor: number;
  /** When it was last changed; never goes back. */
  updatedAt: number;
}

/** Its current files, by path. */
export function currentFiles(app: MemoryApp): FileRecord[] {
  return [...app.files.values()]
    .filter(({ state }) => state === "current")
    .map(({ record }) => record)
    .sort((a, b) => comparePaths(a.path, b.path));
}

export function usageOf(app: MemoryApp | undefined): Usage {
  const sum = (records: readonly FileRecord[]) => records.reduce((total, { size }) => total + size, 0);
  const current = app === undefined ? [] : currentFiles(app);
  const old = [...(app?.files.values() ?? [])].flatMap(({ versions }) =>
    versions.filter(({ replacedAt, content }) => replacedAt !== undefined && content !== undefined),
  );
  return { bytes: sum(current), count: current.length, historyBytes: sum(old.map(({ record }) => record)) };
}

/** The same state, on which changes to the first have no effect. */
export function copyApps(apps: ReadonlyMap<string, MemoryApp>): Map<string, MemoryApp> {
  const copyFile = (file: MemoryFile) => ({
    ...file,
    versions: file.versions.map((version) => ({ ...version })),
  });
  return new Map(
    [...apps].map(([name, app]) => {
      const files = new Map([...app.files].map(([path, file]) => [path, copyFile(file)]));
      return [name, { ...app, files }];
    }),
  );
}
