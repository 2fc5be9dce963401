import type { IndexProgress } from "../document-index.ts";
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
  switch (hint.kind) {
    case "attachments":
      return "Only attachments fit; list_documents shows them with include_attachments.";
    case "root":
      return "Nothing lies at the root level itself; leave folder out for the whole vault.";
    case "together":
      return `No note has all of these values of ${inQuotes(hint.key)}; {"in": [...]} takes any of them.`;
    case "value": {
      const asked = `No note has ${hint.key.slice(0, 100).toWellFormed()} ${inQuotes(hint.name)}`;
      const near = hint.nearest.slice(0, 20).map(inQuotes).join(", ");
      if (hint.complete) return `${asked}; there are ${near || "none"}.`;
      if (["tags", "tag"].includes(hint.key)) return `${asked}; the argument tags minds all tags of a note.`;
      return `${asked}; ${near === "" ? "list_properties with this key shows its values" : `nearest: ${near}`}.`;
    }
    default: {
      const what = {
        folder: "There is no folder",
        pattern: "No path fits the pattern",
        key: "No note has the key",
        tag: "No note has the tag",
      };
      const near = hint.nearest.map((other) => JSON.stringify(other.slice(0, 200))).join(", ");
      return `${what[hint.kind]} ${inQuotes(hint.name)}${near === "" ? "" : `; nearest: ${near}`}.`;
    }
  }
}

function inQuotes(text: string): string {
  return JSON.stringify(text.slice(0, 100).toWellFormed());
}
