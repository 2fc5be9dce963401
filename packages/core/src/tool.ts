import type * as z from "zod";
import type { Answer } from "./answer.ts";
import type { Effect } from "./effect.ts";
import type { Json } from "./json.ts";

/** What a running call can use besides its arguments and the server's own things. */
export interface CallContext {
  /** Aborted when the client cancels, when the call's time is over and when the server stops. */
  readonly signal: AbortSignal;
  /** UTF-8 bytes that the structured answer may take; `cutText` and `takeWithin` help to keep to it. */
  readonly budget: number;
  /** Who calls, as the client named itself in the handshake, such as `claude-ai 0.1.0`. */
  readonly client: string;
  /** Tells the client how far the call is; does nothing where it did not ask. Units are the tool's own. */
  progress(done: number, total?: number, message?: string): void;
}

/** The context of one page: where it begins and what its walk remembers. */
export interface PageContext<Key, Walk> extends CallContext {
  /** The position after which the page begins; undefined on the first page. */
  readonly after: Key | undefined;
  /** What the first page of this walk left for the later ones; undefined on the first page. */
  readonly walk: Walk | undefined;
}

/** One page as a tool returns it; core cuts it to the budget and adds the envelope. */
export interface Page<Entry, Fields, Key, Walk> {
  /** The entries of the page in order, each with the position to continue after it. */
  readonly entries: readonly { readonly entry: Entry; readonly key: Key }[];
  /** Whether anything follows the last of `entries`. */
  readonly more: boolean;
  /**
   * Where the walk goes on when it looked further than to its last entry, as a search does that ends on its own
   * budget. A page with it may be empty and still go on; its note should say so.
   */
  readonly end?: Key | undefined;
  /** The output's own fields, all but the list and the envelope; as a function where they depend on the cut. */
  readonly fields: Fields | ((cut: { readonly returned: number; readonly more: boolean }) => Fields);
  /** Goes into the cursor; needed by the later pages of the same walk. */
  readonly walk?: Walk;
  /** Something that the reader should know about this page. */
  readonly note?: string | undefined;
  /** Goes into the result's `_meta`. */
  readonly meta?: Readonly<Record<string, Json>>;
}

interface Definition<Input extends z.ZodObject, Output extends z.ZodObject> {
  /** snake_case, 40 characters at most. */
  readonly name: string;
  readonly title: string;
  /** 1,024 characters at most; see docs/adding-a-tool.md. */
  readonly description: string;
  readonly effect: Effect;
  /** Whether the same call again changes nothing more; for `create` and `overwrite`. */
  readonly idempotent?: boolean;
  /** A strict object: `z.strictObject`. */
  readonly input: Input;
  /** An object that ends with `eot`; a paged tool's ends with `...pageFields`. */
  readonly output: Output;
  /** The failure codes that a call can give besides INTERNAL, TIMED_OUT and CANCELLED. */
  readonly failures: readonly string[];
  /** What a call is about, for the log: names alone, such as an app and a path; never contents or secrets. */
  readonly subject?: (args: z.output<Input>) => string;
  /** Milliseconds that a call may take; 45,000 unless its caller asks for longer. */
  readonly timeLimitMs?: (args: z.output<Input>) => number;
}

/** What `run` returns: the output without the fields that core adds. */
export type Result<Output extends z.ZodObject> = Omit<z.input<Output>, "eot" | "next_cursor">;

/** How an answer that holds a part of something is continued. */
export interface Resuming<KeySchema extends z.ZodType> {
  /** Arguments to which the cursor is not bound. */
  readonly shape?: readonly string[];
  /** What a position is; a cursor whose position is anything else is refused. */
  readonly key: KeySchema;
}

/** The context of a part. */
export interface PartContext<Key> extends CallContext {
  /** Where the part begins: what the answer before had as `next`; undefined at the beginning. */
  readonly after: Key | undefined;
}

export interface PlainTool<
  Deps,
  Input extends z.ZodObject,
  Output extends z.ZodObject,
  KeySchema extends z.ZodType = z.ZodUndefined,
> extends Definition<Input, Output> {
  /** For a tool with `cursor` and `next_cursor`; its answers are `Answer`s with `next` where something is left. */
  readonly resume?: Resuming<KeySchema>;
  run(
    args: z.output<Input>,
    deps: Deps,
    context: PartContext<z.output<KeySchema>>,
  ): Promise<Result<Output> | Answer<Result<Output>>>;
}

/** Fields that core fills in: the list itself and the envelope. */
type Filled = "returned" | "next_cursor" | "note" | "omitted" | "eot";

type EntryOf<Output extends z.ZodObject, List extends string> =
  z.input<Output> extends Record<List, readonly (infer Entry)[]> ? Entry : never;

/** How the pages of a tool are cut and continued. */
export interface Paging<List extends string, KeySchema extends z.ZodType, WalkSchema extends z.ZodType> {
  /** The output field that holds the entries. */
  readonly list: List;
  /** The argument that bounds a page; `limit` unless said otherwise. */
  readonly limit?: string;
  /** Arguments that only shape the entries or the waiting: the cursor is not bound to them. */
  readonly shape?: readonly string[];
  /** What a position is; a cursor whose position is anything else is refused. */
  readonly key: KeySchema;
  /** What a walk remembers from its first page, where it remembers anything. */
  readonly walk?: WalkSchema;
}

export interface PagedTool<
  Deps,
  Input extends z.ZodObject,
  Output extends z.ZodObject,
  List extends string,
  KeySchema extends z.ZodType,
  WalkSchema extends z.ZodType,
> extends Definition<Input, Output> {
  readonly paging: Paging<List, KeySchema, WalkSchema>;
  run(
    args: z.output<Input>,
    deps: Deps,
    context: PageContext<z.output<KeySchema>, z.output<WalkSchema>>,
  ): Promise<
    Page<
      EntryOf<Output, List>,
      Omit<z.input<Output>, Filled | List>,
      z.output<KeySchema>,
      z.output<WalkSchema>
    >
  >;
}

/** Any tool of a server whose tools get `Deps`. */
export type Tool<Deps> =
  // biome-ignore lint/suspicious/noExplicitAny: the registry holds tools of every shape; each is checked where it is defined.
  PlainTool<Deps, any, any, any> | PagedTool<Deps, any, any, any, any, any>;

/** Declares tools; the identity, but that it infers the types of arguments, answers, entries and positions. */
export interface Definers<Deps> {
  defineTool<
    Input extends z.ZodObject,
    Output extends z.ZodObject,
    KeySchema extends z.ZodType = z.ZodUndefined,
  >(tool: PlainTool<Deps, Input, Output, KeySchema>): PlainTool<Deps, Input, Output, KeySchema>;
  /** For a tool that answers in pages. */
  definePagedTool<
    Input extends z.ZodObject,
    Output extends z.ZodObject,
    const List extends string,
    KeySchema extends z.ZodType,
    WalkSchema extends z.ZodType = z.ZodUndefined,
  >(
    tool: PagedTool<Deps, Input, Output, List, KeySchema, WalkSchema>,
  ): PagedTool<Deps, Input, Output, List, KeySchema, WalkSchema>;
}

/** The definers of a server whose tools get `Deps`. */
export function definersFor<Deps>(): Definers<Deps> {
  return { defineTool: (tool) => tool, definePagedTool: (tool) => tool };
}
