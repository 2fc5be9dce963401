import { definersFor } from "@mcp-file-servers/core";
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

export const { defineTool, definePagedTool } = definersFor<VaultDeps>();
