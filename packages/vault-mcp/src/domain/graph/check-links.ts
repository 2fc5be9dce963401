import type { IndexProgress, ProgressReport } from "../document-index.ts";
import { VaultError } from "../errors.ts";
import { buildingNote, firstIndexMs, joinNotes, type SurveyLibrary } from "../survey/survey-library.ts";
import { unknownFolder } from "../survey/unknown-folder.ts";
import { parsePath } from "../vault-path.ts";
import type { GraphLibrary } from "./get-links.ts";
import type { CheckKind, CheckPage, CheckPosition } from "./vault-graph.ts";

export interface CheckLinksRequest {
  readonly folder: string | undefined;
  readonly kind: CheckKind;
  readonly after: CheckPosition | undefined;
  readonly limit: number;
}

export interface CheckLinksAnswer {
  readonly page: CheckPage;
  readonly progress: IndexProgress;
  readonly note: string | undefined;
}

/** @throws VaultError INVALID_ARGUMENT, PATH_OUTSIDE_VAULT, PATH_HIDDEN */
export async function checkLinks(
  { folder: given, kind, after, limit }: CheckLinksRequest,
  { index, graph, survey, place, visibility }: GraphLibrary & Pick<SurveyLibrary, "survey">,
  signal: AbortSignal,
  report?: ProgressReport,
): Promise<CheckLinksAnswer> {
  const folder = given === undefined ? undefined : parsePath("folder", given, place);
  if (folder !== undefined && folder !== "" && visibility.isHidden(folder)) {
    throw new VaultError("PATH_HIDDEN", { path: given ?? "" });
  }
  const progress = await index.ready(firstIndexMs, signal, report);
  const page = await graph.check({ kind, folder, after, limit }, signal, report);
  const isEmpty = page.total === 0 && progress.state !== "building";
  const folders = isEmpty && folder ? (await survey.folders(undefined, signal)).items : undefined;
  return {
    page,
    progress,
    note: joinNotes([
      buildingNote(progress),
      folders && unknownFolder(folder ?? "", folders),
      isEmpty && folder === "" && "The root level alone was checked; leave folder out for the whole vault.",
    ]),
  };
}
