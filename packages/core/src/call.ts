import type * as z from "zod";
import { Answer } from "./answer.ts";
import { decodeCursor, encodeCursor, type Query } from "./cursor.ts";
import { CoreFailure, type FailureTexts, failureText, isFailure } from "./failure.ts";
import { endOfText } from "./fields.ts";
import { parseArguments } from "./input.ts";
import type { Json } from "./json.ts";
import type { Log } from "./log.ts";
import { fillPage, type PageForm, pageForm } from "./page.ts";
import { type CallResult, writeFailure, writeResult } from "./result.ts";
import { emitSchema, type JsonSchema } from "./schema.ts";
import type { CallContext, Tool } from "./tool.ts";

/** Clients give up after 60 s; a call ends before, unless its caller asked for longer. */
const defaultTimeLimitMs = 45_000;

/** How long a stopped call may take to end by itself before it is answered without it. */
const graceMs = 1_000;

/** A tool with the schemas that it shows. */
export interface RegisteredTool<Deps> {
  readonly tool: Tool<Deps>;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  /** Of a paged tool. */
  readonly page: PageForm | undefined;
}

export function registerTool<Deps>(tool: Tool<Deps>): RegisteredTool<Deps> {
  return {
    tool,
    inputSchema: emitSchema(tool.input, "input"),
    outputSchema: emitSchema(tool.output, "output"),
    page: "paging" in tool ? pageForm(tool.output as z.ZodObject, tool.paging.list) : undefined,
  };
}

/** Registers each tool once, since its schemas take a millisecond and some kilobytes, for all sessions of a server. */
export function rememberTools(): typeof registerTool {
  const known = new WeakMap<object, unknown>();
  return <Deps>(tool: Tool<Deps>) => {
    const registered = (known.get(tool) as RegisteredTool<Deps> | undefined) ?? registerTool(tool);
    known.set(tool, registered);
    return registered;
  };
}

/** What a call needs besides its tool and arguments. */
export interface CallEnvironment<Deps> extends Omit<CallContext, "signal"> {
  readonly deps: Deps;
  readonly failures: object;
  /** Aborted when the client cancels or the server stops. */
  readonly cancelled: AbortSignal;
  readonly log: Log;
  /** Told at the end what the call was about (empty where its tool does not say) and how it ended: `ok` or a code. */
  finished?(subject: string, outcome: string): void;
}

/** The arguments that decide what a walk returns. */
function queryOf(tool: Tool<never>, args: Record<string, unknown>): Query {
  const { shape = [], limit = "limit" } = "paging" in tool ? tool.paging : { shape: tool.resume?.shape };
  const free = new Set(["cursor", limit, ...shape]);
  const bound = Object.entries(args).filter(([name]) => !free.has(name));
  return { name: tool.name, args: Object.fromEntries(bound) };
}

async function runTool<Deps>(
  { tool, inputSchema, page: form }: RegisteredTool<Deps>,
  given: Record<string, unknown> | null | undefined,
  deps: Deps,
  makeContext: (timeLimitMs: number) => CallContext,
  about: (subject: string) => void,
): Promise<CallResult> {
  const args = parseArguments(given, tool.input, inputSchema) as Record<string, unknown>;
  about(tool.subject?.(args) ?? "");
  const context = makeContext(tool.timeLimitMs?.(args) ?? defaultTimeLimitMs);
  const query = queryOf(tool as Tool<never>, args);
  const schemas = "paging" in tool ? tool.paging : tool.resume;
  const { key: after, walk } =
    schemas !== undefined && typeof args.cursor === "string"
      ? decodeCursor(args.cursor, query, schemas)
      : { key: undefined, walk: undefined };
  if ("paging" in tool) {
    const page = await tool.run(args, deps, { ...context, after, walk });
    const data = fillPage(page, form as PageForm, query, context.budget);
    return writeResult(data, page.meta === undefined ? {} : { meta: page.meta });
  }
  const returned = await tool.run(args, deps, { ...context, after });
  const { data, extras } = returned instanceof Answer ? returned : new Answer(returned, {});
  const { next } = extras;
  const resumed = tool.resume !== undefined && {
    next_cursor: next === undefined ? null : encodeCursor(query, { key: next as Json, walk: undefined }),
  };
  return writeResult(tool.output.parse({ ...data, ...resumed, eot: endOfText }), extras);
}

/**
 * Answers one call, in this order: mend the arguments, parse them strictly, run, parse the output, fill the budget,
 * write both halves. The only place that catches.
 */
export async function callTool<Deps>(
  registered: RegisteredTool<Deps>,
  given: Record<string, unknown> | null | undefined,
  environment: CallEnvironment<Deps>,
): Promise<CallResult> {
  const { deps, failures, cancelled, log, finished, ...rest } = environment;
  let subject = "";
  let outcome = "ok";
  const stop = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const stopped = new Promise<never>((_resolve, reject) => {
    stop.signal.addEventListener("abort", () => {
      timers.push(setTimeout(() => reject(stop.signal.reason), graceMs));
    });
  });
  stopped.catch(() => {});
  const cancel = () => stop.abort(new CoreFailure("CANCELLED", {}));
  if (cancelled.aborted) cancel();
  cancelled.addEventListener("abort", cancel);
  const makeContext = (timeLimitMs: number) => {
    const seconds = Math.round(timeLimitMs / 1000);
    timers.push(setTimeout(() => stop.abort(new CoreFailure("TIMED_OUT", { seconds })), timeLimitMs));
    return { ...rest, signal: stop.signal };
  };
  try {
    const running = runTool(registered, given, deps, makeContext, (about) => {
      subject = about;
    });
    running.catch(() => {});
    return await Promise.race([running, stopped]);
  } catch (error) {
    const told = isFailure(error, failures) || !stop.signal.aborted ? error : stop.signal.reason;
    const failure = isFailure(told, failures) ? told : new CoreFailure("INTERNAL", {});
    if (failure !== told) log.error(`${registered.tool.name} failed`, { error: told });
    outcome = failure.code;
    return writeFailure(failureText(failure, failures as FailureTexts<Record<string, never>>));
  } finally {
    cancelled.removeEventListener("abort", cancel);
    for (const timer of timers) clearTimeout(timer);
    finished?.(subject, outcome);
  }
}
