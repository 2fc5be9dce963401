import type { Library } from "../reading/open-document.ts";
import type { Visibility } from "../visibility.ts";
import type { DiffTexts } from "./diff-texts.ts";
import type { YamlTools } from "./edit-frontmatter.ts";
import type { NoteFiles } from "./note-files.ts";
import type { LinkIndex } from "./rename/link-index.ts";
import type { RenameFiles } from "./rename/rename-files.ts";

/** What editing texts needs; loaded with the first write. */
export interface EditingTools {
  readonly yaml: YamlTools;
  readonly diffTexts: DiffTexts;
}

/** What writers work with. */
export interface WritingDeps extends Library {
  readonly files: NoteFiles;
  readonly renames: RenameFiles;
  readonly links: LinkIndex;
  readonly visibility: Visibility;
  loadEditingTools(): Promise<EditingTools>;
}

/** The index has this long to take in what was written, milliseconds. */
const refreshMs = 5_000;

/** For more paths a look at the whole vault is quicker. */
const mostPaths = 100;

/**
 * Brings what was written into the index. A call that is stopped meanwhile has done its work all the same.
 *
 * @returns what to tell when that took too long.
 */
export async function refreshIndex(
  { index }: Library,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const wanted = paths.length > mostPaths ? [""] : paths;
  const isIn = await index.refresh(wanted, refreshMs, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return false;
  });
  return isIn ? [] : ["The index is still being built; the change is on the disk and will be listed later."];
}
