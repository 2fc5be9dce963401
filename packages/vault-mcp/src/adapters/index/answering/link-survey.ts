import { folderOf } from "../../../domain/document.ts";
import { compareBinary } from "../../../domain/fold.ts";
import type { GraphReport } from "../../../domain/graph/vault-graph.ts";
import type { LinkSyntax } from "../../../domain/links/link.ts";
import type { Resolution, Resolver } from "../../../domain/links/resolve-link.ts";
import { TimeSlice } from "../../time-slice.ts";
import { rowOf } from "../schema.ts";
import type { DocumentList } from "./document-list.ts";
import type { IndexConnection } from "./index-snapshot.ts";
import { type FragmentLink, missingFragments } from "./missing-fragments.ts";

/** A link by the path of its file and its id, or a file by its path alone. */
export interface Place {
  readonly path: string;
  /** 0 for a file. */
  readonly id: number;
}

/** What is to be said of all links together, each list in the order of paths but the last. */
export interface LinkSurvey {
  /** Links that lead to no file, or to a note that has no such heading or block. */
  readonly broken: readonly Place[];
  readonly ambiguous: readonly Place[];
  /** Notes without links in and out, attachments without links to them. */
  readonly orphans: readonly Place[];
  /** The most linked first. */
  readonly linked: readonly LinkedDocument[];
}

/** A document that others link to, with how many do. */
export interface LinkedDocument {
  readonly path: string;
  readonly backlinks: number;
}

interface SurveyedRow {
  readonly id: number;
  readonly document: number;
  readonly path: string;
  readonly syntax: LinkSyntax;
  readonly heading: string | null;
  readonly block: string | null;
}

/** Documents whose links are read in one go. */
const batchSize = 500;
const fragmentBatchSize = 100;
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
  const hasLinksOut = new Set<string>();
  const backlinks = new Map<string, number>();
  const broken: Place[] = [];
  const ambiguous: Place[] = [];
  for (let at = 0; at < ids.length; at += batchSize) {
    const last = ids[Math.min(at + batchSize, ids.length) - 1] ?? 0;
    const rows = await connection.read(({ reader }) =>
      reader.all<SurveyedRow>(
        `SELECT id, id >> 16 AS document, path, syntax, heading, block FROM link WHERE id >= ? AND id < ?
          AND (path <> '' OR heading IS NOT NULL OR block IS NOT NULL) ORDER BY id`,
        [rowOf(ids[at] ?? 0, 0), rowOf(last + 1, 0)],
      ),
    );
    const fragments: FragmentLink[] = [];
    // The links of a document follow each other.
    let own = { document: -1, targets: new Set<string>() };
    for (const { id, document, path, syntax, heading, block } of rows) {
      const source = pathOf.get(document);
      if (source === undefined) continue;
      if (path === "") {
        fragments.push({ id, source, target: source, heading, block });
        continue;
      }
      const resolved = resolve(path, syntax, source);
      const { target } = resolved;
      if (target === undefined) {
        broken.push({ path: source, id });
        hasLinksOut.add(source);
      } else {
        if (target !== source) {
          connected.add(source).add(target);
          if (own.document !== document) own = { document, targets: new Set() };
          if (!own.targets.has(target)) backlinks.set(target, (backlinks.get(target) ?? 0) + 1);
          own.targets.add(target);
        }
        if (resolved.candidates.length > 0) ambiguous.push({ path: source, id });
        if (heading !== null || block !== null) fragments.push({ id, source, target, heading, block });
      }
      await slice.turn(signal);
    }
    for (let from = 0; from < fragments.length; from += fragmentBatchSize) {
      const some = fragments.slice(from, from + fragmentBatchSize);
      const missing = await connection.read((snapshot) => missingFragments(snapshot, some));
      for (const { id, source } of missing) broken.push({ path: source, id });
      await slice.turn(signal);
    }
    report?.(Math.min(at + batchSize, ids.length), ids.length);
    signal.throwIfAborted();
  }
  const orphans = paths.flatMap((path, index) =>
    connected.has(path) || (attachments[index] === 0 && hasLinksOut.has(path)) ? [] : [{ path, id: 0 }],
  );
  return {
    broken: broken.sort(comparePlaces),
    ambiguous: ambiguous.sort(comparePlaces),
    orphans: orphans.sort(comparePlaces),
    linked: Array.from(backlinks, ([path, count]) => ({ path, backlinks: count })).sort(
      (a, b) => b.backlinks - a.backlinks || compareBinary(a.path, b.path),
    ),
  };
}

export function comparePlaces(a: Place, b: Place): number {
  return compareBinary(a.path, b.path) || a.id - b.id;
}

/** Links that are remembered; those of a folder come together. */
const mostKnown = 20_000;

/** The same link in the same folder leads to the same file. */
function rememberingResolver(resolver: Resolver) {
  const known = new Map<string, Resolution>();
  return (path: string, syntax: LinkSyntax, source: string): Resolution => {
    const name = `${syntax}\0${folderOf(source)}\0${path}`;
    let resolved = known.get(name);
    if (resolved === undefined) {
      resolved = resolver.resolve({ path, syntax }, source);
      if (known.size >= mostKnown) known.clear();
      known.set(name, resolved);
    }
    return resolved;
  };
}
