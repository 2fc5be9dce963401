import type { IndexProgress, ProgressReport } from "../document-index.ts";
import { VaultError } from "../errors.ts";
import { fold } from "../fold.ts";
import type { ListWalk } from "../listing/listing.ts";
import { nearest } from "../nearest.ts";
import type { PropertyType } from "../note/property-rows.ts";
import { continueAfter } from "./continue-after.ts";
import { buildingNote, changedNote, firstIndexMs, joinNotes, type SurveyLibrary } from "./survey-library.ts";

export interface PropertyRequest {
  readonly key: string | undefined;
  readonly limit: number;
}

/** A key with the kinds of its values, or a value of the key that was asked for. */
export interface PropertyEntry {
  /** Tells the entry from the others of its list. */
  readonly name: string;
  readonly key?: string;
  readonly types?: readonly PropertyType[];
  readonly value?: string;
  readonly notes: number;
}

export interface PropertyPage {
  readonly properties: readonly PropertyEntry[];
  readonly more: boolean;
  readonly total: number;
  readonly walk: ListWalk;
  readonly progress: IndexProgress;
  readonly note: string | undefined;
}

type Library = Pick<SurveyLibrary, "index" | "survey">;

/** @throws VaultError INVALID_ARGUMENT, INVALID_CURSOR */
export async function listProperties(
  { key, limit }: PropertyRequest,
  library: Library,
  position: { readonly after: string | undefined; readonly walk: ListWalk | undefined },
  signal: AbortSignal,
  report?: ProgressReport,
): Promise<PropertyPage> {
  if (key?.trim() === "") {
    const next = "Call again without key to see which keys there are.";
    throw new VaultError("INVALID_ARGUMENT", { argument: "key", problem: "is empty", next });
  }
  const progress = await library.index.ready(firstIndexMs, signal, report);
  const { items, walk, changedSince } = await entriesOf(key, library, position.walk, signal);
  const { page, more } = continueAfter(items, position.after, limit, ({ name }) => name);
  const isUnknown = progress.state !== "building" && items.length === 0;
  return {
    properties: page,
    more,
    total: items.length,
    walk,
    progress,
    note: joinNotes([
      buildingNote(progress),
      changedSince && changedNote,
      isUnknown && key === undefined && "No note has frontmatter.",
      isUnknown && key !== undefined && (await noSuchKey(key, library, signal)),
    ]),
  };
}

async function entriesOf(
  key: string | undefined,
  { survey }: Library,
  walk: ListWalk | undefined,
  signal: AbortSignal,
) {
  if (key === undefined) {
    const counted = await survey.properties(walk, signal);
    const items = counted.items.map((count): PropertyEntry => ({ name: count.key, ...count }));
    return { ...counted, items };
  }
  const counted = await survey.values(key, walk, signal);
  const items = counted.items.map((count): PropertyEntry => ({ name: fold(count.value), ...count }));
  return { ...counted, items };
}

async function noSuchKey(key: string, { survey }: Library, signal: AbortSignal): Promise<string> {
  const { items } = await survey.properties(undefined, signal);
  const keys = items.map((count) => count.key);
  const name = JSON.stringify(key.slice(0, 100).toWellFormed());
  if (keys.includes(key.normalize("NFC")))
    return `The key ${name} has no texts, numbers or booleans as values.`;
  const close = nearest(key, keys, 5).map((one) => JSON.stringify(one.slice(0, 100)));
  return `No note has the key ${name}${close.length === 0 ? "" : `; nearest: ${close.join(", ")}`}.`;
}
