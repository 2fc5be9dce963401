import type { DocumentIndex, IndexProgress } from "../document-index.ts";
import type { VaultPlace } from "../vault-path.ts";
import type { Visibility } from "../visibility.ts";
import type { VaultSurvey } from "./vault-survey.ts";

export interface SurveyLibrary {
  readonly index: DocumentIndex;
  readonly survey: VaultSurvey;
  readonly place: VaultPlace;
  readonly visibility: Visibility;
}

export const firstIndexMs = 5_000;

/** A sentence about an index that is still being built. */
export function buildingNote({ state, indexed, found }: IndexProgress): string | undefined {
  return state === "building"
    ? `The vault is still being read (indexed ${indexed} of ${found} files); call again for the rest.`
    : undefined;
}

/** A sentence for a walk whose list is older than the vault. */
export const changedNote =
  "The vault changed since the first page of this walk; start again without cursor to see that.";

/** Some sentences as a note; undefined where there is none. */
export function joinNotes(sentences: readonly (string | false | undefined)[]): string | undefined {
  const said = sentences.filter((sentence) => sentence);
  return said.length === 0 ? undefined : said.join(" ");
}
