import type { DocumentIndex, IndexProgress, ProgressReport } from "../document-index.ts";
import { VaultError } from "../errors.ts";
import { mostNearest } from "../nearest.ts";
import { buildingNote, firstIndexMs, joinNotes } from "../survey/survey-library.ts";
import { parsePath, type VaultPlace } from "../vault-path.ts";
import type { VaultReader } from "../vault-reader.ts";
import type { Visibility } from "../visibility.ts";
import type { LinkPage, LinkPosition, LinkRequest, VaultGraph } from "./vault-graph.ts";

export interface GraphLibrary {
  readonly index: DocumentIndex;
  readonly graph: VaultGraph;
  readonly place: VaultPlace;
  readonly visibility: Visibility;
}

interface LinksLibrary extends GraphLibrary {
  readonly reader: VaultReader;
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

const refreshMs = 5_000;

/**
 * The links of a note or attachment.
 *
 * @throws VaultError INVALID_ARGUMENT, PATH_OUTSIDE_VAULT, PATH_HIDDEN, NOT_FOUND with the nearest paths, NOT_A_FILE,
 * KIND_NOT_SERVED.
 */
export async function getLinks(
  { path: given, direction, after, limit }: LinksRequest,
  library: LinksLibrary,
  signal: AbortSignal,
  report?: ProgressReport,
): Promise<LinksAnswer> {
  const { index, graph, place, visibility } = library;
  const path = parsePath("path", given, place);
  if (path === "") {
    const next = "Call again with the path of a note, as list_documents gives it.";
    throw new VaultError("INVALID_ARGUMENT", { argument: "path", problem: "names no document", next });
  }
  if (visibility.isHidden(path)) throw new VaultError("PATH_HIDDEN", { path: given });
  const progress = await index.ready(firstIndexMs, signal, report);
  const directions = direction === "both" ? (["outlinks", "backlinks"] as const) : [direction];
  const wanted = { path, directions, after, limit };
  const page = (await graph.links(wanted, signal)) ?? (await linksOnDisk(wanted, given, library, signal));
  if (page === undefined) {
    throw new VaultError("NOT_FOUND", { path: given, nearest: await index.nearestPaths(path, mostNearest) });
  }
  return { page, progress, note: joinNotes([buildingNote(progress)]) };
}

/**
 * The links of what the index does not have at a path: of the file that a link of the file system leads to, or that came
 * just now; undefined where nothing is there.
 *
 * @throws VaultError what the reader throws, as for a folder.
 */
async function linksOnDisk(
  wanted: LinkRequest,
  given: string,
  { index, graph, reader }: LinksLibrary,
  signal: AbortSignal,
): Promise<LinkPage | undefined> {
  const file = await reader.read(wanted.path, given, 0);
  if (file === undefined) return undefined;
  const known = await graph.links({ ...wanted, path: file.path }, signal);
  if (known !== undefined) return known;
  await index.refresh([file.path], refreshMs, signal);
  return graph.links({ ...wanted, path: file.path }, signal);
}
