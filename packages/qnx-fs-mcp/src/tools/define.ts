import { definePagedTool as definePaged, type PagedTool } from "@mcp-file-servers/core";
import type * as z from "zod";
import type { KeptListings } from "../domain/kept-listings.ts";
import type { Targets } from "../domain/targets.ts";

/** What the tools of this server work with. */
export interface Deps {
  readonly targets: Targets;
  readonly listings: KeptListings;
  /** No tool changes anything. */
  readonly readOnly: boolean;
}

/** Declares a tool of this server that answers in pages. */
export function definePagedTool<
  Input extends z.ZodObject,
  Output extends z.ZodObject,
  const List extends string,
  KeySchema extends z.ZodType,
  WalkSchema extends z.ZodType = z.ZodUndefined,
>(
  tool: PagedTool<Deps, Input, Output, List, KeySchema, WalkSchema>,
): PagedTool<Deps, Input, Output, List, KeySchema, WalkSchema> {
  return definePaged(tool);
}
