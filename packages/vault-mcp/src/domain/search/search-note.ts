import type { IndexProgress } from "../document-index.ts";
import type { SearchPage, SearchWanted } from "./vault-search.ts";

/** What a reader of hits should know besides them. */
export interface SearchCircumstances {
  readonly page: SearchPage;
  readonly wanted: SearchWanted;
  /** Whether a literal search was made because the query has no words. */
  readonly withoutWords: boolean;
  /** Words of the notes that are spelled like those that were not found. */
  readonly similar: readonly string[];
  /** Whether only some notes were asked: those of a folder, or that filters, a pattern or tags select. */
  readonly narrowed: boolean;
  readonly progress: IndexProgress;
  /** Sentences about folders, keys and tags that nothing has. */
  readonly hints: readonly string[];
  /** Hits whose text is too long for snippets. */
  readonly unshown: number;
}

/** The `note` of a page of hits; undefined where there is nothing to say. */
export function searchNote(circumstances: SearchCircumstances): string | undefined {
  const { page, wanted, withoutWords, similar, narrowed, progress, hints, unshown } = circumstances;
  const { stage, total, beyond, changedSince } = page;
  const isEmpty = total === 0;
  const none = narrowed ? "No note of this selection" : "No note";
  const sentences = [
    progress.state === "building" &&
      `The vault is still being read (indexed ${progress.indexed} of ${progress.found} files); call again for the rest.`,
    withoutWords && "The query has no words in it, so the text was looked for as it stands.",
    !isEmpty && stage === "prefixes" && `${none} has all of these words; these have words that begin so.`,
    !isEmpty && stage === "any" && `${none} has all of these words; these have some of them.`,
    beyond && "More notes answer than the best 200, which are given; narrow the search to see others.",
    changedSince &&
      "Documents changed since the first page of this search; those are left out, so start again without cursor.",
    unshown > 0 && "Long notes are given without snippets; read_document with a section has their text.",
    ...wordNotes(wanted),
    isEmpty && emptyNote(wanted, none, narrowed),
    similar.length > 0 && `Spelled much like them: ${inQuotes(similar)}.`,
    isEmpty && hints.length === 0 && "Attachments are not searched; list_documents finds them by name.",
    ...(progress.state === "building" ? [] : hints),
  ].filter((sentence) => sentence !== false);
  return sentences.length === 0 ? undefined : sentences.join(" ");
}

function emptyNote(wanted: SearchWanted, none: string, narrowed: boolean): string {
  const wider = "; without folder, filters, pattern and tags all notes are searched.";
  if (wanted.kind === "literal")
    return `${none} has this text${narrowed ? wider : "; match words finds its words apart."}`;
  if (wanted.terms.unwanted.length > 0)
    return `${none} has any of these words and none of those to leave out; call again without these.`;
  return `${none} has any of these words${narrowed ? wider : "; list_tags and list_folders show what there is."}`;
}

function wordNotes(wanted: SearchWanted): string[] {
  if (wanted.kind === "literal") return [];
  const { dropped, marked, spare } = wanted.terms;
  const quoted = inQuotes(marked);
  const small = inQuotes(spare.map(({ words }) => words.join(" ")));
  return [
    ...(dropped > 0 ? [`The query is too long; its last ${dropped} words were not looked for.`] : []),
    ...(small !== "" ? [`Small words need not be there (${small}); quote one that must.`] : []),
    ...(quoted !== ""
      ? [`Only the words of ${quoted} were looked for; match literal minds the marks too.`]
      : []),
  ];
}

function inQuotes(texts: readonly string[]): string {
  return [...new Set(texts)]
    .slice(0, 5)
    .map((text) => JSON.stringify(text.slice(0, 50).toWellFormed()))
    .join(", ");
}
