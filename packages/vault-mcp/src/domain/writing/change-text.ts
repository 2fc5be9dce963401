import { VaultError } from "../errors.ts";
import { etagOf, partialEtag } from "../etag.ts";
import { decodeText } from "../note/decode.ts";
import { largestText, openDocument } from "../reading/open-document.ts";
import { checkEtag } from "./check-etag.ts";
import { guardFrontmatter } from "./guard-frontmatter.ts";
import type { Outcome, WholeFile } from "./note-files.ts";
import { parseWritePath } from "./write-path.ts";
import { type EditingTools, refreshIndex, type WritingDeps } from "./writing-deps.ts";

export interface ChangeRequest {
  /** As the caller wrote it. */
  readonly path: string;
  readonly ifMatch: string | undefined;
  readonly dryRun: boolean;
}

/** What came of changing a document's text. */
export interface TextChange {
  /** As the disk spells it. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** Of the text after the change, partial: who changed a part has not read the rest. */
  readonly etag: string;
  /** Undefined where nothing was written. */
  readonly outcome: Outcome | undefined;
  readonly notes: readonly string[];
}

/** The new text of a document. */
export type ChangeText = (text: string, file: WholeFile, tools: EditingTools) => string;

/**
 * Changes the text of a document that exists: reads it, changes it and replaces it in one turn, so that no other
 * server comes between.
 *
 * @throws VaultError of finding and reading the document, NOT_TEXT, ETAG_MISMATCH, FRONTMATTER_BROKEN, NOT_WRITTEN, and
 *   what `change` throws.
 */
export async function changeText(
  deps: WritingDeps,
  { path: given, ifMatch, dryRun }: ChangeRequest,
  signal: AbortSignal,
  change: ChangeText,
): Promise<TextChange> {
  const note = parseWritePath("path", given, deps.place);
  const tools = await deps.loadEditingTools();
  const turn = async () => {
    const file = await readWhole(deps, given, signal);
    const { path, bytes, kind } = file;
    checkEtag(given, bytes, ifMatch);
    const { text: before, badLine } = decodeText(bytes);
    if (badLine !== undefined) throw new VaultError("NOT_TEXT", { path: given, line: badLine });
    const after = change(before, file, tools);
    if (kind === "note") guardFrontmatter(given, before, after, tools.yaml.parse);
    const next = Buffer.from(after);
    const isSame = next.equals(bytes);
    signal.throwIfAborted();
    const outcome = dryRun || isSame ? undefined : await deps.files.replace(file, given, next);
    return { path, before, after, etag: partialEtag(etagOf(next)), outcome };
  };
  const changed = await deps.files.exclusively(signal, turn, note);
  const { outcome, path } = changed;
  const notes = outcome === undefined ? [] : await refreshIndex(deps, [path], signal);
  return { ...changed, notes: [...outcomeNotes(outcome), ...notes] };
}

/** @throws VaultError TOO_LARGE, and what opening a document throws. */
export async function readWhole(deps: WritingDeps, given: string, signal: AbortSignal): Promise<WholeFile> {
  const file = await openDocument(deps, given, signal);
  const { bytes } = file;
  if (bytes !== undefined) return { ...file, bytes };
  throw new VaultError("TOO_LARGE", { path: given, bytes: file.sizeBytes, limitBytes: largestText });
}

/** What to tell of a content that went. */
export function outcomeNotes(outcome: Outcome | undefined): string[] {
  const { overtaken, otherNames = 0 } = outcome ?? {};
  const notes: string[] = [];
  if (overtaken !== undefined) {
    notes.push(
      `Another program saved the file at the same moment. Its content is kept as version ${overtaken}: call restore_document with that version to have it back.`,
    );
  }
  if (otherNames > 0) {
    const names =
      otherNames === 1
        ? "1 other name (hard link), which keeps"
        : `${otherNames} other names (hard links), which keep`;
    notes.push(`The file had ${names} the old content; it is a file of its own now.`);
  }
  return notes;
}
