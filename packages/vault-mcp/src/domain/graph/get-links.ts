import type { DocumentIndex, IndexProgress, ProgressReport } from "../document-index.ts";
import { VaultError } from "../errors.ts";
import { buildingNote, firstIndexMs, joinNotes } from "../survey/survey-library.ts";
import { parsePath, type VaultPlace } from "../vault-path.ts";
import type { Visibility } from "../visibility.ts";
import type { LinkPage, LinkPosition, VaultGraph } from "./vault-graph.ts";

export interface GraphLibrary {
  readonly index: DocumentIndex;
  readonly graph: VaultGraph;
  readonly place: VaultPlace;
  readonly visibility: Visibility;
}

export interface LinksRequest {
  readonly path: string;
  readonly direction: "backlinks" | "outlinks" | "both";
  readonly after: LinkPosition | undefined;
  readonly limit: number;
}

export interface LinksAnswer {
  readonly page: LinkPage;
  readonly progress: IndexProgress;
  readonly note: string | undefined;
}

const mostNearest = 5;

/**
 * The links of a note or attachment.
 *
 * @throws VaultError INVALID_ARGUMENT, PATH_OUTSIDE_VAULT, PATH_HIDDEN, NOT_FOUND with the nearest paths.
 */
export async function getLinks(
  { path: given, direction, after, limit }: LinksRequest,
  { index, graph, place, visibility }: GraphLibrary,
  signal: AbortSignal,
  report?: ProgressReport,
): Promise<LinksAnswer> {
  const path = parsePath("path", given, place);
  if (path === "") {
    const next = "Call again with the path of a note, as list_documents gives it.";
    throw new VaultError("INVALID_ARGUMENT", { argument: "path", problem: "names no document", next });
  }
  if (visibility.isHidden(path)) throw new VaultError("PATH_HIDDEN", { path: given });
  const progress = await index.ready(firstIndexMs, signal, report);
  const directions = direction === "both" ? (["outlinks", "backlinks"] as const) : [direction];
  const page = await graph.links({ path, directions, after, limit }, signal);
  if (page === undefined) {
    throw new VaultError("NOT_FOUND", { path: given, nearest: await index.nearestPaths(path, mostNearest) });
  }
  return { page, progress, note: joinNotes([buildingNote(progress)]) };
}
