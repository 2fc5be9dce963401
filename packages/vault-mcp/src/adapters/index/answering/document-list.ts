import { everything } from "../../../domain/listing/listing.ts";
import type { IdSet, IndexSnapshot } from "./index-snapshot.ts";

/** Every document that may be seen. */
export interface DocumentList {
  readonly ids: readonly number[];
  readonly paths: readonly string[];
  /** Whether each is an attachment. */
  readonly attachments: readonly number[];
}

/** The documents that may be seen, as a set. */
export function visibleSet(snapshot: IndexSnapshot): IdSet {
  return snapshot.select(everything);
}

/** The documents that may be seen, as one list: row by row it would take several times as long. */
export function visibleDocuments(snapshot: IndexSnapshot): DocumentList {
  const visible = visibleSet(snapshot);
  const row = snapshot.reader.get<{ ids: string; paths: string; kinds: string }>(
    "SELECT json_group_array(id) AS ids, json_group_array(path) AS paths, json_group_array(kind) AS kinds FROM (SELECT id, path, kind FROM document ORDER BY id)",
  );
  const ids: number[] = JSON.parse(row?.ids ?? "[]");
  const paths: string[] = JSON.parse(row?.paths ?? "[]");
  const kinds: number[] = JSON.parse(row?.kinds ?? "[]");
  if (ids.every((id) => visible[id] === 1)) return { ids, paths, attachments: kinds };
  const kept = ids.flatMap((id, index) => (visible[id] === 1 ? [index] : []));
  return {
    ids: kept.map((index) => ids[index] ?? 0),
    paths: kept.map((index) => paths[index] ?? ""),
    attachments: kept.map((index) => kinds[index] ?? 0),
  };
}
