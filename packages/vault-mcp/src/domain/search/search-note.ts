import type { IndexProgress } from "../document-index.ts";
import type { SearchPage, SearchWanted } from "./vault-search.ts";

/** What a reader of hits should know besides them. */
export interface SearchCircumstances {
  readonly page: SearchPage;
  readonly wanted: SearchWanted;
  /** Whether a literal search was made because the query has no words. */
  readonly withoutWords: boolean;
  readonly progress: IndexProgress;
  /** Sentences about folders, keys and tags that nothing has. */
  readonly hints: readonly string[];
  /** Hits whose text is too long for snippets. */
  readonly unshown: number;
}

/** The `note` of a page of hits; undefined where there is nothing to say. */
export function searchNote(circumstances: SearchCircumstances): string | undefined {
  const { page, wanted, withoutWords, progress, hints, unshown } = circumstances;
  const { stage, total, beyond, changedSince } = page;
  const isEmpty = total === 0;
  const sentences = [
    progress.state === "building" &&
      `The vault is still being read (indexed ${progress.indexed} of ${progress.found} files); call again for the rest.`,
    withoutWords && "The query has no words in it, so the text was looked for as it stands.",
    !isEmpty && stage === "prefixes" && "No note has all of these words; these have words that begin so.",
    !isEmpty && stage === "any" && "No note has all of these words; these have some of them.",
    beyond && "More notes answer than the best 200, which are given; narrow the search to see others.",
    changedSince &&
      "Documents changed since the first page of this search; those are left out, so start again without cursor.",
    unshown > 0 && "Long notes are given without snippets; read_document with a section has their text.",
    ...wordNotes(wanted),
    isEmpty && wanted.kind === "literal" && "No note has this text; match words finds its words apart.",
    isEmpty &&
      wanted.kind === "words" &&
      "No note has any of these words; list_tags and list_folders show what there is.",
    ...(progress.state === "building" ? [] : hints),
  ].filter((sentence) => sentence !== false);
  return sentences.length === 0 ? undefined : sentences.join(" ");
}

function wordNotes(wanted: SearchWanted): string[] {
  if (wanted.kind === "literal") return [];
  const { dropped, marked } = wanted.terms;
  const quoted = marked.slice(0, 5).map((text) => JSON.stringify(text.slice(0, 50).toWellFormed()));
  return [
    ...(dropped > 0 ? [`The query is too long; its last ${dropped} words were not looked for.`] : []),
    ...(quoted.length > 0
      ? [`Only the words of ${quoted.join(", ")} were looked for; match literal minds the marks too.`]
      : []),
  ];
}
