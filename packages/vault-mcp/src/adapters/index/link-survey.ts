import { folderOf } from "../../domain/document.ts";
import { compareBinary } from "../../domain/fold.ts";
import type { GraphReport } from "../../domain/graph/vault-graph.ts";
import type { LinkSyntax } from "../../domain/links/link.ts";
import type { Resolution, Resolver } from "../../domain/links/resolve-link.ts";
import { TimeSlice } from "../time-slice.ts";
import type { DocumentList } from "./document-list.ts";
import type { IndexConnection } from "./index-snapshot.ts";
import { rowOf } from "./schema.ts";

/** A link by the path of its file and its id, or a file by its path alone. */
export interface Place {
  readonly path: string;
  /** 0 for a file. */
  readonly id: number;
}

/** What is to be said of all links together, each list in the order of paths. */
export interface LinkSurvey {
  readonly broken: readonly Place[];
  readonly ambiguous: readonly Place[];
  /** Notes without links in and out, attachments without links to them. */
  readonly orphans: readonly Place[];
}

/** Documents whose links are read in one go. */
const batchSize = 500;
const sliceMs = 8;

/** Looks at every link once. */
export async function surveyLinks(
  connection: IndexConnection,
  { ids, paths, attachments }: DocumentList,
  resolver: Resolver,
  signal: AbortSignal,
  report?: GraphReport,
): Promise<LinkSurvey> {
  const slice = new TimeSlice(sliceMs);
  const resolve = rememberingResolver(resolver);
  const pathOf = new Map(ids.map((id, index) => [id, paths[index] ?? ""]));
  const connected = new Set<string>();
  const broken: Place[] = [];
  const ambiguous: Place[] = [];
  for (let at = 0; at < ids.length; at += batchSize) {
    const last = ids[Math.min(at + batchSize, ids.length) - 1] ?? 0;
    const rows = await connection.read(({ reader }) =>
      reader.all<{ id: number; document: number; path: string; syntax: LinkSyntax }>(
        "SELECT id, id >> 16 AS document, path, syntax FROM link WHERE id >= ? AND id < ? AND path <> ''",
        [rowOf(ids[at] ?? 0, 0), rowOf(last + 1, 0)],
      ),
    );
    for (const { id, document, path, syntax } of rows) {
      const source = pathOf.get(document);
      if (source === undefined) continue;
      const resolved = resolve(path, syntax, source);
      if (resolved.target === undefined) broken.push({ path: source, id });
      else if (resolved.target !== source) {
        connected.add(source);
        connected.add(resolved.target);
      }
      if (resolved.target !== undefined && resolved.candidates.length > 0)
        ambiguous.push({ path: source, id });
      await slice.turn(signal);
    }
    report?.(Math.min(at + batchSize, ids.length), ids.length);
    signal.throwIfAborted();
  }
  const hasLinksOut = new Set(broken.map(({ path }) => path));
  const orphans = paths.flatMap((path, index) =>
    connected.has(path) || (attachments[index] === 0 && hasLinksOut.has(path)) ? [] : [{ path, id: 0 }],
  );
  return {
    broken: broken.sort(comparePlaces),
    ambiguous: ambiguous.sort(comparePlaces),
    orphans: orphans.sort(comparePlaces),
  };
}

export function comparePlaces(a: Place, b: Place): number {
  return compareBinary(a.path, b.path) || a.id - b.id;
}

/** The same link in the same folder leads to the same file. */
function rememberingResolver(resolver: Resolver) {
  const known = new Map<string, Resolution>();
  return (path: string, syntax: LinkSyntax, source: string): Resolution => {
    const name = `${syntax}\0${folderOf(source)}\0${path}`;
    let resolved = known.get(name);
    if (resolved === undefined) {
      resolved = resolver.resolve({ path, syntax }, source);
      known.set(name, resolved);
    }
    return resolved;
  };
}
