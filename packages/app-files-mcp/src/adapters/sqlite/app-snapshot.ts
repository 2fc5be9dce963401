import type { Reader } from "@mcp-file-servers/sqlite";
import type { Listing, ListView } from "../../domain/listing.ts";
import type { Condition } from "./conditions.ts";
import type { GenerationCache } from "./generation-cache.ts";
import type { AppRow } from "./rows.ts";

export type Placed = Listing["entries"][number];
export type FilesView = Extract<ListView, { kind: "files" }>;

/** A page without what is the same for every page of an app. */
export type Page = Omit<Listing, "usage" | "filesVersion">;

/** One app on one snapshot, with what was worked out for its state before. */
export interface AppSnapshot {
  readonly reader: Reader;
  readonly cache: GenerationCache;
  readonly app: AppRow;
}

/** How many files match, counted once for each state of the app. */
export function countRows({ reader, cache, app }: AppSnapshot, matching: Condition): number {
  return cache.get(
    cacheKey("count", app, matching),
    () =>
      reader.get<{ n: number }>(`SELECT count(*) AS n FROM file WHERE ${matching.sql}`, matching.parameters)
        ?.n ?? 0,
    () => 0,
  );
}

/** Match sets can be long, and two of them differ only where their pattern does: the text stands for itself. */
export function cacheKey(kind: string, app: AppRow, { sql, parameters }: Condition, more = ""): string {
  return JSON.stringify([kind, app.id, app.files_version, sql, parameters, more]);
}
