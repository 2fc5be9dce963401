import { comparePaths } from "../../domain/file-path.ts";
import type { ListQuery } from "../../domain/listing.ts";
import { type AppSnapshot, cacheKey, type FilesView, type Placed } from "./app-snapshot.ts";
import type { Condition } from "./conditions.ts";

interface FolderRow {
  readonly path: string;
  readonly count: number;
  readonly bytes: number;
}

/** One level below a prefix: its folders with what is in them, and the files that lie there. */
export interface Level {
  readonly folders: readonly FolderRow[];
  readonly files: number;
  /** Which files lie directly at this level. */
  readonly direct: Condition;
}

export function rollUp({ reader, cache, app }: AppSnapshot, matching: Condition, prefix: string): Level {
  const rest = "substr(path, length(?) + 1)";
  const slash = `instr(${rest}, '/')`;
  return cache.get(
    cacheKey("level", app, matching, prefix),
    () => {
      const folders = reader.all<FolderRow>(
        `SELECT substr(path, 1, length(?) + ${slash}) AS path, count(*) AS count, sum(size) AS bytes
         FROM file WHERE ${matching.sql} AND ${slash} > 0 GROUP BY 1 ORDER BY 1`,
        [prefix, prefix, ...matching.parameters, prefix],
      );
      const files = reader.get<{ count: number; ids: string }>(
        `SELECT count(*) AS count, json_group_array(id) AS ids FROM file WHERE ${matching.sql} AND ${slash} = 0`,
        [...matching.parameters, prefix],
      );
      const count = files?.count ?? 0;
      const inFolders = folders.reduce((sum, folder) => sum + folder.count, 0);
      // Where most files lie in folders, walking past those would make every page dear.
      const direct =
        count * 4 < inFolders
          ? { sql: "id IN (SELECT value FROM json_each(?))", parameters: [files?.ids ?? "[]"] }
          : { sql: `${slash} = 0`, parameters: [prefix] };
      return { folders, files: count, direct };
    },
    (level) => level.folders.length * 40 + String(level.direct.parameters[0]).length,
  );
}

/** Up to one folder more than the page holds. */
export function foldersAfter(folders: readonly FolderRow[], query: ListQuery, view: FilesView): Placed[] {
  const { after } = query;
  if (after?.group === "file") return [];
  const sign = view.order === "asc" ? 1 : -1;
  const ordered = view.order === "asc" ? folders : folders.toReversed();
  const first =
    after === undefined ? 0 : ordered.findIndex((folder) => comparePaths(folder.path, after.path) * sign > 0);
  if (first < 0) return [];
  return ordered.slice(first, first + query.limit + 1).map(({ path, count, bytes }) => ({
    entry: { kind: "folder", path, count, bytes },
    position: { group: "folder", rank: 0, path },
  }));
}
