import * as z from "zod";
import type { Query } from "./cursor.ts";
import { encodeCursor } from "./cursor.ts";
import { endOfText } from "./fields.ts";
import { type Json, jsonBytes } from "./json.ts";
import type { Page } from "./tool.ts";

type Entry = Record<string, unknown>;
type AnyPage = Page<unknown, Record<string, unknown>, Json, Json | undefined>;

/** An entry as it is sent, and the fields that had to be left out of it. */
interface Shortened {
  readonly entry: Entry;
  readonly omitted: readonly string[];
}

/** What a page is made of: made once a tool, since a schema takes longer to make than to use. */
export interface PageForm {
  /** The output field that holds the entries. */
  readonly list: string;
  /** All fields, in their order. */
  readonly fields: readonly string[];
  readonly entry: z.ZodType;
  /** Fields of an entry that may be left out. */
  readonly optional: readonly string[];
  /** All but the list. */
  readonly envelope: z.ZodType;
}

export function pageForm(output: z.ZodObject, list: string): PageForm {
  const schema = output.shape[list];
  if (!(schema instanceof z.ZodArray)) throw new TypeError(`output has no list ${list}`);
  const entry = schema.element as z.ZodType;
  return {
    list,
    fields: Object.keys(output.shape),
    entry,
    optional: optionalFields(entry),
    envelope: output.omit({ [list]: true } as never),
  };
}

function optionalFields(schema: z.ZodType): readonly string[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape)
    .filter(([, field]) => (field as z.ZodType).safeParse(undefined).success)
    .map(([name]) => name);
}

/** Leaves out the largest optional fields, one after the other, until the entry fits. */
function shorten(entry: Entry, optional: readonly string[], maxBytes: number): Shortened {
  const left = { ...entry };
  const omitted: string[] = [];
  while (jsonBytes(left) > maxBytes) {
    const [largest] = optional
      .filter((name) => left[name] !== undefined)
      .sort((a, b) => jsonBytes(left[b]) - jsonBytes(left[a]));
    if (largest === undefined) break;
    delete left[largest];
    omitted.push(largest);
  }
  return { entry: left, omitted };
}

/** Bytes that the envelope may take beside the tool's own fields: counts, the longest notes of ours, end mark. */
const envelopeBytes = 400;

function cursorBytes(key: Json, walk: Json | undefined): number {
  return Math.ceil((jsonBytes([key, walk ?? null]) * 4) / 3) + 24;
}

/**
 * Fills a page up to the budget, item by item. What does not fit is left to the next page; an entry that is larger
 * than the budget comes alone, without its largest fields. Returns the structured content, in the order of the
 * output schema.
 */
export function fillPage(page: AnyPage, form: PageForm, query: Query, budget: number): Entry {
  const { list } = form;
  const walk = page.walk;
  const fieldsFor = (cut: { returned: number; more: boolean }) =>
    typeof page.fields === "function" ? page.fields(cut) : page.fields;
  const provisional = fieldsFor({ returned: page.entries.length, more: page.more });
  const room = budget - envelopeBytes - jsonBytes(provisional) - jsonBytes(page.note ?? "");

  let bytes = 0;
  let omitted: readonly string[] = [];
  const entries: unknown[] = [];
  for (const { entry, key } of page.entries) {
    const parsed = form.entry.parse(entry);
    const free = room - cursorBytes(key, walk);
    const size = jsonBytes(parsed) + 1;
    if (bytes + size > free) {
      if (entries.length > 0) break;
      const shortened = shorten(parsed as Entry, form.optional, free);
      omitted = shortened.omitted;
      entries.push(shortened.entry);
      break;
    }
    bytes += size;
    entries.push(parsed);
  }

  const isCut = entries.length < page.entries.length;
  const more = page.more || isCut;
  const lastKey = page.entries[entries.length - 1]?.key;
  const end = isCut ? lastKey : (page.end ?? lastKey);
  const notes = [page.note, cutNote(entries.length, page.entries.length, omitted)].filter(Boolean);
  const filled: Entry = {
    ...fieldsFor({ returned: entries.length, more }),
    [list]: entries,
    returned: entries.length,
    next_cursor: more && end !== undefined ? encodeCursor(query, { key: end, walk }) : null,
    ...(notes.length > 0 && { note: notes.join(" ") }),
    ...(omitted.length > 0 && { omitted }),
    eot: endOfText,
  };
  // Entries were parsed one by one above; parsing them again would double the cost of a large page.
  const { [list]: _list, ...others } = filled;
  const checked = form.envelope.parse(others) as Entry;
  return Object.fromEntries(
    form.fields.flatMap((name) => {
      const value = name === list ? entries : checked[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function cutNote(returned: number, asked: number, omitted: readonly string[]): string | undefined {
  if (omitted.length > 0)
    return `This entry is larger than an answer may be; left out of it: ${omitted.join(", ")}.`;
  if (returned === asked) return undefined;
  return `Shortened to ${returned} of ${asked} entries to fit an answer's size; next_cursor goes on.`;
}
