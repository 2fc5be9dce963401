import * as core from "@mcp-file-servers/core";
import type * as z from "zod";
import type { DocumentIndex } from "../domain/document-index.ts";
import type { ParseYaml } from "../domain/frontmatter.ts";
import type { VaultPlace } from "../domain/vault-path.ts";
import type { VaultReader } from "../domain/vault-reader.ts";
import type { Visibility } from "../domain/visibility.ts";
import type { WritingDeps } from "../domain/writing/writing-deps.ts";

/** What the tools work with. */
export interface VaultDeps extends WritingDeps {
  readonly index: DocumentIndex;
  readonly reader: VaultReader;
  readonly place: VaultPlace;
  readonly visibility: Visibility;
  /** Loads the reader of frontmatter. */
  loadYamlParser(): Promise<ParseYaml>;
}

/** core's defineTool for this server. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: core.PlainTool<VaultDeps, Input, Output>,
): core.PlainTool<VaultDeps, Input, Output> {
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
  tool: core.PagedTool<VaultDeps, Input, Output, List, KeySchema, WalkSchema>,
): core.PagedTool<VaultDeps, Input, Output, List, KeySchema, WalkSchema> {
  return core.definePagedTool(tool);
}
