import { AppFilesError } from "../domain/errors.ts";
import { comparePaths } from "../domain/file-path.ts";
import type { FileRecord } from "../domain/file-record.ts";
import type { ListFilter, Listing, ListPosition, ListQuery, ListView } from "../domain/listing.ts";
import { matchPattern } from "../domain/match-pattern.ts";
import { type MemoryApp, type MemoryFile, usageOf } from "./memory-state.ts";

type Placed = Listing["entries"][number];
type FilesView = Extract<ListView, { kind: "files" }>;

export function listInMemory(app: MemoryApp, query: ListQuery): Listing {
  const { view, after, limit } = query;
  const placed = view.kind === "changes" ? changes(app, query, view.since) : files(app, query, view);
  const rest =
    after === undefined ? placed : placed.filter((each) => compare(each.position, after, view) > 0);
  const generation = query.generation ?? app.filesVersion;
  const leftOut = [...app.files.values()].filter(
    ({ state, filesVersion }) => state !== "forgotten" && filesVersion > generation,
  );
  const isByPath = view.kind === "files" && view.sort === "path";
  const shown = rest.filter(
    ({ entry }) => isByPath || entry.kind !== "file" || isOld(app, entry.file.path, generation),
  );
  return {
    entries: shown.slice(0, limit),
    more: shown.length > limit,
    total: placed.length,
    usage: usageOf(app),
    filesVersion: app.filesVersion,
    changedSince: view.kind === "files" && view.sort !== "path" ? leftOut.length : 0,
  };
}

function versionOf(app: MemoryApp, path: string): number {
  return app.files.get(path)?.filesVersion ?? 0;
}

function isOld(app: MemoryApp, path: string, generation: number): boolean {
  return versionOf(app, path) <= generation;
}

function changes(app: MemoryApp, query: ListQuery, since: number): Placed[] {
  if (since < app.feedFloor) throw new AppFilesError("CHANGES_EXPIRED", { since, oldest: app.feedFloor });
  if (since > app.filesVersion) {
    const problem = `${since} is later than the app's files_version, ${app.filesVersion}`;
    throw new AppFilesError("INVALID_ARGUMENT", { argument: "changed_since", problem, next: "Call again." });
  }
  const generation = query.generation ?? app.filesVersion;
  const told = [...app.files.values()].filter(
    ({ state, filesVersion }) => state !== "forgotten" && filesVersion > since && filesVersion <= generation,
  );
  return matching(told, query.filter)
    .sort((a, b) => a.filesVersion - b.filesVersion)
    .map(({ state, record, filesVersion }) => ({
      entry:
        state === "current"
          ? { kind: "file", file: record }
          : { kind: "deletion", path: record.path, version: record.version, deletedAt: record.updatedAt },
      position: { group: "file", rank: filesVersion, path: record.path },
    }));
}

function files(app: MemoryApp, query: ListQuery, view: FilesView): Placed[] {
  const current = [...app.files.values()].filter(({ state }) => state === "current");
  const records = matching(current, query.filter).map(({ record }) => record);
  const prefix = query.filter.prefix ?? "";
  const folderOf = (path: string) => {
    const slash = path.indexOf("/", prefix.length);
    return view.folders && slash >= 0 ? path.slice(0, slash + 1) : undefined;
  };
  const folders = new Map<string, { count: number; bytes: number }>();
  const direct: FileRecord[] = [];
  for (const record of records) {
    const folder = folderOf(record.path);
    if (folder === undefined) direct.push(record);
    else {
      const sum = folders.get(folder) ?? { count: 0, bytes: 0 };
      folders.set(folder, { count: sum.count + 1, bytes: sum.bytes + record.size });
    }
  }
  const rankOf = (record: FileRecord) =>
    view.sort === "path" ? 0 : view.sort === "size" ? record.size : versionOf(app, record.path);
  const placed: Placed[] = [
    ...[...folders].map(
      ([path, sums]): Placed => ({
        entry: { kind: "folder", path, ...sums },
        position: { group: "folder", rank: 0, path },
      }),
    ),
    ...direct.map(
      (file): Placed => ({
        entry: { kind: "file", file },
        position: { group: "file", rank: rankOf(file), path: file.path },
      }),
    ),
  ];
  return placed.sort((a, b) => compare(a.position, b.position, view));
}

function compare(a: ListPosition, b: ListPosition, view: ListView): number {
  if (a.group !== b.group) return a.group === "folder" ? -1 : 1;
  const sign = view.kind === "files" && view.order === "desc" ? -1 : 1;
  return sign * (a.rank - b.rank || comparePaths(a.path, b.path));
}

function matching(all: readonly MemoryFile[], filter: ListFilter): MemoryFile[] {
  const { prefix = "", mime, updatedAfter, pattern } = filter;
  const found = all.filter(
    ({ record }) =>
      record.path.startsWith(prefix) &&
      (mime === undefined ||
        ("exact" in mime ? record.mime === mime.exact : record.mime.startsWith(mime.prefix))) &&
      (updatedAfter === undefined || record.updatedAt > updatedAfter),
  );
  if (pattern === undefined) return found;
  const indexes = new Set(
    matchPattern(
      pattern,
      found.map(({ path }) => path),
    ),
  );
  return found.filter((_, index) => indexes.has(index));
}
