import type { IndexProgress } from "./document-index.ts";
import type { ListHint, ListPage } from "./listing.ts";

/** What a reader of a page should know besides its entries. */
export interface ListCircumstances {
  readonly page: ListPage;
  readonly progress: IndexProgress;
  /** Whether pending changes were waited for in vain. */
  readonly timedOut: boolean;
  readonly filtersExcludeAttachments: boolean;
  readonly shortened: boolean;
}

/** The `note` of a page; undefined where there is nothing to say. */
export function listNote(circumstances: ListCircumstances): string | undefined {
  const { page, progress, timedOut, filtersExcludeAttachments, shortened } = circumstances;
  const sentences = [
    progress.state === "building" &&
      `The vault is still being read (indexed ${progress.indexed} of ${progress.found} files); call again for the rest.`,
    timedOut && "Waiting for pending changes took too long; this is what was known before.",
    page.changedSince &&
      "Documents changed since the first page of this walk; those are left out, so start again without cursor to see them.",
    filtersExcludeAttachments && "Filters exclude attachments, which have no frontmatter.",
    shortened && "Frontmatter values over 2,000 characters are shortened here; read_document has them whole.",
    // What is not there yet may come.
    ...(progress.state === "building" ? [] : page.hints.map(hintText)),
  ].filter((sentence) => sentence !== false);
  return sentences.length === 0 ? undefined : sentences.join(" ");
}

/** A sentence about something that nothing in the vault answers to. */
export function hintText(hint: ListHint): string {
  const name = JSON.stringify(hint.name.slice(0, 100).toWellFormed());
  if (hint.kind === "value") {
    const known = hint.known.slice(0, 20).map((value) => JSON.stringify(value.slice(0, 100)));
    return `No note has ${hint.key} ${name}; there are ${known.join(", ") || "none"}.`;
  }
  const what = {
    folder: `There is no folder ${name}`,
    key: `No note has the key ${name}`,
    tag: `No note has the tag ${name}`,
  };
  const nearest = hint.nearest.map((other) => JSON.stringify(other.slice(0, 200)));
  return `${what[hint.kind]}${nearest.length === 0 ? "." : `; nearest: ${nearest.join(", ")}.`}`;
}
