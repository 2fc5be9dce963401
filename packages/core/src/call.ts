import type * as z from "zod";
import { Answer } from "./answer.ts";
import { decodeCursor, type Query } from "./cursor.ts";
import { CoreFailure, type FailureTexts, failureText, isFailure } from "./failure.ts";
import { endOfText } from "./fields.ts";
import { parseArguments } from "./input.ts";
import type { Log } from "./log.ts";
import { fillPage } from "./page.ts";
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
}

export function registerTool<Deps>(tool: Tool<Deps>): RegisteredTool<Deps> {
  return {
    tool,
    inputSchema: emitSchema(tool.input, "input"),
    outputSchema: emitSchema(tool.output, "output"),
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

/** The arguments that decide which entries a walk returns. */
function queryOf(tool: Tool<never>, args: Record<string, unknown>): Query {
  const paging = "paging" in tool ? tool.paging : undefined;
  const free = new Set(["cursor", paging?.limit ?? "limit", ...(paging?.shape ?? [])]);
  const bound = Object.entries(args).filter(([name]) => !free.has(name));
  return { name: tool.name, args: Object.fromEntries(bound) };
}

async function runTool<Deps>(
  { tool, inputSchema }: RegisteredTool<Deps>,
  given: Record<string, unknown> | null | undefined,
  deps: Deps,
  makeContext: (timeLimitMs: number) => CallContext,
  about: (subject: string) => void,
): Promise<CallResult> {
  const args = parseArguments(given, tool.input, inputSchema) as Record<string, unknown>;
  about(tool.subject?.(args) ?? "");
  const context = makeContext(tool.timeLimitMs?.(args) ?? defaultTimeLimitMs);
  if (!("paging" in tool)) {
    const returned = await tool.run(args, deps, context);
    const answer = returned instanceof Answer ? returned : new Answer(returned, {});
    const data = tool.output.parse({ ...answer.data, eot: endOfText });
    return writeResult(data, answer.extras);
  }
  const query = queryOf(tool as Tool<never>, args);
  const position =
    typeof args.cursor === "string"
      ? decodeCursor(args.cursor, query, tool.paging)
      : { key: undefined, walk: undefined };
  const page = await tool.run(args, deps, { ...context, after: position.key, walk: position.walk });
  const data = fillPage(page, tool.output as z.ZodObject, tool.paging.list, query, context.budget);
  return writeResult(data, page.meta === undefined ? {} : { meta: page.meta });
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
