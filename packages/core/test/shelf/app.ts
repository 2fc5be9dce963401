import * as z from "zod";
import {
  Answer,
  type App,
  anyJson,
  type CoreFailureDetails,
  coreFailures,
  cursorArgument,
  cutText,
  definersFor,
  eot,
  type FailureTexts,
  limitArgument,
  pageFields,
  quote,
} from "../../src/index.ts";

/** A server made for core's own tests: a shelf of items in memory, small and complete. */
export interface Shelf {
  readonly items: Map<string, string>;
  readonly listeners: Set<(name: string) => void>;
  /** What names of items begin with; absent for any. */
  readonly prefixes?: readonly string[];
}

export function newShelf(names: readonly string[]): Shelf {
  return { items: new Map(names.map((name) => [name, `text of ${name}`])), listeners: new Set() };
}

/** The items whose names begin with one of `prefixes`, where there are any. */
export function limitShelf({ items, listeners }: Shelf, prefixes: unknown): Shelf {
  if (!Array.isArray(prefixes)) return { items, listeners };
  const seen = [...items].filter(([name]) => prefixes.some((prefix) => name.startsWith(String(prefix))));
  return { items: new Map(seen), listeners, prefixes: prefixes.map(String) };
}

interface ShelfFailures {
  NOT_FOUND: { name: string };
}

class ShelfError extends Error {
  readonly code = "NOT_FOUND";
  readonly details: ShelfFailures["NOT_FOUND"];

  constructor(name: string) {
    super("NOT_FOUND");
    this.details = { name };
  }
}

const { defineTool, definePagedTool } = definersFor<Shelf>();

const sorted = (shelf: Shelf, prefix: string) =>
  [...shelf.items.keys()].filter((name) => name.startsWith(prefix)).sort((a, b) => (a < b ? -1 : 1));

const listItems = definePagedTool({
  name: "item_list",
  title: "List items",
  description: "List the items on the shelf by name. To look into one, use item_read.",
  effect: "read",
  input: z.strictObject({
    prefix: z.string().default("").describe("names that begin with it"),
    tags: z.array(z.string().describe("a tag")).default([]).describe("ignored; here to be mended"),
    details: z.boolean().default(false).describe("adds the text"),
    limit: limitArgument(100, 1000),
    cursor: cursorArgument,
  }),
  output: z.object({
    items: z.array(z.object({ name: z.string(), text: z.string().optional() })),
    total: z.int().min(0),
    ...pageFields,
  }),
  paging: { list: "items", shape: ["details"], key: z.tuple([z.string()]) },
  failures: ["INVALID_ARGUMENT", "INVALID_CURSOR"],
  async run({ prefix, limit, details }, shelf, { after }) {
    const names = sorted(shelf, prefix);
    const rest = names.filter((name) => after === undefined || name > after[0]);
    return {
      entries: rest.slice(0, limit).map((name) => ({
        entry: { name, ...(details && { text: shelf.items.get(name) }) },
        key: [name] as [string],
      })),
      more: rest.length > limit,
      fields: { total: names.length },
    };
  },
});

const readItem = defineTool({
  name: "item_read",
  title: "Read an item",
  description: "Read the text of one item by its name, as item_list gives it, in parts where it is long.",
  effect: "read",
  subject: ({ name }) => name,
  input: z.strictObject({
    name: z.string().min(1).describe("the item's name"),
    upper: z.boolean().default(false).describe("in capitals"),
    cursor: cursorArgument,
  }),
  output: z.object({ name: z.string(), text: z.string(), next_cursor: z.string().nullable(), eot }),
  resume: { key: z.int(), shape: ["upper"] },
  failures: ["INVALID_ARGUMENT", "INVALID_CURSOR", "NOT_FOUND"],
  async run({ name, upper }, shelf, { after = 0, budget }) {
    const text = shelf.items.get(name);
    if (text === undefined) throw new ShelfError(name);
    const part = cutText(text.slice(after), budget - 200);
    const end = after + part.length;
    return new Answer(
      { name, text: upper ? part.toUpperCase() : part },
      { next: end < text.length ? end : undefined },
    );
  },
});

const writeItem = defineTool({
  name: "item_write",
  title: "Write an item",
  description: "Put an item on the shelf, in place of one of the same name.",
  effect: "overwrite",
  idempotent: true,
  input: z.strictObject({
    name: z.string().min(1).describe("the item's name"),
    text: z.string().describe("its text"),
    meta: z.record(z.string(), anyJson("a value")).optional().describe("free values"),
  }),
  output: z.object({
    name: z.string(),
    length: z.int(),
    meta: z.record(z.string(), z.unknown()).optional(),
    eot,
  }),
  failures: ["INVALID_ARGUMENT"],
  async run({ name, text, meta }, shelf) {
    shelf.items.set(name, text);
    for (const listener of shelf.listeners) listener(name);
    return { name, length: text.length, meta };
  },
});

const waitLong = defineTool({
  name: "shelf_wait",
  title: "Wait",
  description:
    "Wait for a time, with progress. `how` says what happens at the end of it or when it is stopped.",
  effect: "read",
  input: z.strictObject({
    milliseconds: z.int().min(0).max(60_000).describe("how long"),
    time_limit: z.int().min(1).max(60_000).default(45_000).describe("milliseconds that the call may take"),
    how: z
      .enum(["answer", "throw", "hang"])
      .default("answer")
      .describe("answer, fail, or ignore being stopped"),
  }),
  output: z.object({ waited: z.int(), client: z.string(), eot }),
  failures: ["INVALID_ARGUMENT"],
  timeLimitMs: ({ time_limit }) => time_limit,
  async run({ milliseconds, how }, _shelf, { signal, progress, client }) {
    progress(0, milliseconds, "waiting");
    await new Promise<void>((resolve, reject) => {
      setTimeout(resolve, milliseconds);
      if (how !== "hang") signal.addEventListener("abort", () => reject(signal.reason));
    });
    progress(milliseconds, milliseconds);
    if (how === "throw") throw new Error("secret detail");
    return { waited: milliseconds, client };
  },
});

const failures = {
  ...coreFailures,
  NOT_FOUND: {
    message: ({ name }) => `no item ${quote(name)}`,
    next: () => "Call item_list to see the names.",
  },
} satisfies FailureTexts<ShelfFailures & CoreFailureDetails>;

export const app: App<Shelf> = {
  name: "shelf-mcp",
  title: "Shelf",
  version: "1.2.3",
  description: "A shelf of items",
  instructions: "Items have names and texts.",
  tools: [listItems, readItem, writeItem, waitLong],
  failures,
  resources: {
    templates: [
      { uriTemplate: "shelf:///{name}", name: "item", title: "Item", description: "An item's text" },
    ],
    key: z.string(),
    async list(shelf, { after, limit }) {
      const rest = sorted(shelf, "").filter((name) => after === undefined || name > after);
      return {
        resources: rest
          .slice(0, limit)
          .map((name) => ({ resource: { uri: `shelf:///${name}`, name }, key: name })),
        more: rest.length > limit,
      };
    },
    async read(shelf, uri) {
      const text = shelf.items.get(uri.slice("shelf:///".length));
      return text === undefined ? undefined : { uri, mimeType: "text/plain", text };
    },
    canonicalUri(shelf, uri) {
      const name = uri.startsWith("shelf:///") ? decodeURI(uri.slice("shelf:///".length)) : "";
      const isSeen = shelf.prefixes?.some((prefix) => name.startsWith(prefix)) ?? true;
      return isSeen && name !== "" ? `shelf:///${name}` : undefined;
    },
    watch(shelf, { updated, listChanged }) {
      const listener = (name: string) => {
        updated(`shelf:///${name}`);
        listChanged();
      };
      shelf.listeners.add(listener);
      return () => shelf.listeners.delete(listener);
    },
  },
};
