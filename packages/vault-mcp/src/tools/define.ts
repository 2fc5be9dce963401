import { definersFor } from "@mcp-file-servers/core";
import type { DocumentIndex } from "../domain/document-index.ts";
import type { VaultGraph } from "../domain/graph/vault-graph.ts";
import type { ParseYaml } from "../domain/note/frontmatter.ts";
import type { VaultSearch } from "../domain/search/vault-search.ts";
import type { VaultSurvey } from "../domain/survey/vault-survey.ts";
import type { VaultPlace } from "../domain/vault-path.ts";
import type { VaultReader } from "../domain/vault-reader.ts";
import type { Visibility } from "../domain/visibility.ts";
import type { WritingDeps } from "../domain/writing/writing-deps.ts";

/** What the tools work with. */
export interface VaultDeps extends WritingDeps {
  readonly index: DocumentIndex;
  readonly search: VaultSearch;
  readonly graph: VaultGraph;
  readonly survey: VaultSurvey;
  readonly reader: VaultReader;
  readonly place: VaultPlace;
  readonly visibility: Visibility;
  readonly about: { readonly version: string; readonly readOnly: boolean };
  /** Loads the reader of frontmatter. */
  loadYamlParser(): Promise<ParseYaml>;
}

export const { defineTool, definePagedTool } = definersFor<VaultDeps>();
