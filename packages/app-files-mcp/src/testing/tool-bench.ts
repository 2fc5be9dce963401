import { randomUUID } from "node:crypto";
import type { Answer, CallContext, FailureText, PagedTool, PlainTool } from "@mcp-file-servers/core";
import type * as z from "zod";
import { diffTexts } from "../adapters/diff-texts.ts";
import { createLocalFolders } from "../adapters/local-folders.ts";
import { createMimeDetector } from "../adapters/mime-detector.ts";
import { createAppPolicy } from "../domain/app-name.ts";
import { AppFilesError, type FailureCode } from "../domain/errors.ts";
import { defaultLimits, defaultRetention, type Limits } from "../domain/limits.ts";
import type { FileStore } from "../domain/store.ts";
import type { Deps, Web } from "../tools/define.ts";
import { failures } from "../tools/failures.ts";
import { createMemoryStore } from "./memory-store.ts";

type Arguments = Record<string, unknown>;

/** Tools on a store in memory, called as core calls them: parsed arguments, the failure's text. */
export interface ToolBench {
  readonly deps: Deps;
  readonly clock: { now: number };
  /** The data of the answer, checked against the tool's output schema. */
  // biome-ignore lint/suspicious/noExplicitAny: answers differ from tool to tool.
  call(tool: AnyTool, args: Arguments, more?: { readonly budget?: number }): Promise<any>;
  /** All of the answer, images too. */
  answer(tool: AnyTool, args: Arguments): Promise<unknown>;
  /** `CODE: message` and the next step of a call that is refused. */
  refusal(tool: AnyTool, args: Arguments): Promise<string>;
}

// biome-ignore lint/suspicious/noExplicitAny: tools of every shape.
type AnyTool = PlainTool<Deps, any, any> | PagedTool<Deps, any, any, any, any, any>;

export function createToolBench(
  setting: {
    limits?: Partial<Limits>;
    /** Another store than one in memory, with these limits. */
    store?: FileStore;
    allowed?: readonly string[];
    /** Folders on the disk for import and export. */
    roots?: readonly string[];
    ownFiles?: readonly string[];
    web?: Web;
  } = {},
): ToolBench {
  const clock = { now: Date.UTC(2031, 1, 3, 4, 5, 6) };
  const limits = { ...defaultLimits, ...setting.limits };
  const deps: Deps = {
    store: setting.store ?? createMemoryStore({ limits, retention: defaultRetention, now: () => clock.now }),
    detector: createMimeDetector(),
    policy: createAppPolicy(setting.allowed ?? []),
    limits,
    localFiles: createLocalFolders({
      roots: setting.roots ?? [],
      ownFiles: setting.ownFiles ?? [],
      nextName: randomUUID,
    }),
    diffTexts,
    now: () => clock.now,
    newSecret: randomUUID,
    web: setting.web,
  };

  async function answer(tool: AnyTool, args: Arguments, budget = 40_000): Promise<unknown> {
    const context: CallContext = {
      signal: new AbortController().signal,
      budget,
      client: "test 1",
      progress() {},
    };
    const parsed = tool.input.parse(args) as z.output<z.ZodObject>;
    return "paging" in tool
      ? tool.run(parsed, deps, { ...context, after: undefined, walk: undefined })
      : tool.run(parsed, deps, { ...context, after: undefined });
  }

  return {
    deps,
    clock,
    answer,
    async call(tool, args, { budget } = {}) {
      const returned = await answer(tool, args, budget);
      if ("paging" in tool) return returned;
      const data = isAnswer(returned) ? returned.data : returned;
      return tool.output.omit({ eot: true }).strict().parse(data);
    },
    async refusal(tool, args) {
      try {
        await answer(tool, args);
      } catch (error) {
        if (!(error instanceof AppFilesError)) throw error;
        const text: FailureText<never> = failures[error.code as FailureCode];
        if (!tool.failures.includes(error.code))
          throw new Error(`${tool.name} does not declare ${error.code}`);
        return `${error.code}: ${text.message(error.details as never)}.\nNext: ${text.next(error.details as never)}`;
      }
      throw new Error("the call was not refused");
    },
  };
}

function isAnswer(value: unknown): value is Answer<unknown> {
  return typeof value === "object" && value !== null && "extras" in value;
}
