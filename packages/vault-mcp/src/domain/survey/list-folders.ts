import type { IndexProgress, ProgressReport } from "../document-index.ts";
import { VaultError } from "../errors.ts";
import { compareBinary } from "../fold.ts";
import { parsePath } from "../vault-path.ts";
import { type FolderCounts, foldersBelow } from "./count-folders.ts";
import { buildingNote, firstIndexMs, joinNotes, type SurveyLibrary } from "./survey-library.ts";
import { unknownFolder } from "./unknown-folder.ts";

export interface FolderRequest {
  readonly folder: string;
  readonly depth: number | undefined;
  readonly after: string | undefined;
  readonly limit: number;
}

export interface FolderPage {
  readonly folders: readonly FolderCounts[];
  readonly more: boolean;
  readonly total: number;
  readonly progress: IndexProgress;
  readonly note: string | undefined;
}

/** @throws VaultError INVALID_ARGUMENT, PATH_OUTSIDE_VAULT, PATH_HIDDEN */
export async function listFolders(
  { folder: given, depth, after, limit }: FolderRequest,
  { index, survey, place, visibility }: SurveyLibrary,
  signal: AbortSignal,
  report?: ProgressReport,
): Promise<FolderPage> {
  const folder = parsePath("folder", given, place);
  if (folder !== "" && visibility.isHidden(folder)) throw new VaultError("PATH_HIDDEN", { path: given });
  const progress = await index.ready(firstIndexMs, signal, report);
  const { items } = await survey.folders(undefined, signal);
  const below = foldersBelow(items, folder, depth);
  const start = after === undefined ? 0 : below.findIndex(({ path }) => compareBinary(path, after) > 0);
  return {
    folders: start < 0 ? [] : below.slice(start, start + limit),
    more: start >= 0 && start + limit < below.length,
    total: below.length,
    progress,
    note: joinNotes([
      buildingNote(progress),
      progress.state !== "building" && below.length === 0 && unknownFolder(folder, items),
    ]),
  };
}
