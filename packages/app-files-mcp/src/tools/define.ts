import * as core from "@mcp-file-servers/core";
import type * as z from "zod";
import type { AppPolicy } from "../domain/app-name.ts";
import type { Limits } from "../domain/limits.ts";
import type { MimeDetector } from "../domain/mime.ts";
import type { FileStore } from "../domain/store.ts";

/** What the tools work with. */
export interface Deps {
  readonly store: FileStore;
  readonly detector: MimeDetector;
  readonly policy: AppPolicy;
  readonly limits: Limits;
}

/** core's defineTool for this server. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: core.PlainTool<Deps, Input, Output>,
): core.PlainTool<Deps, Input, Output> {
  return core.defineTool(tool);
}

/** core's definePagedTool for this server. */
export function definePagedTool<
  Input extends z.ZodObject,
  Output extends z.ZodObject,
  const List extends string,
  KeySchema extends z.ZodType,
  WalkSchema extends z.ZodType = z.ZodUndefined,
>(
  tool: core.PagedTool<Deps, Input, Output, List, KeySchema, WalkSchema>,
): core.PagedTool<Deps, Input, Output, List, KeySchema, WalkSchema> {
  return core.definePagedTool(tool);
}
