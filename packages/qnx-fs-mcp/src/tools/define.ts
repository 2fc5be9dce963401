import { definersFor } from "@mcp-file-servers/core";
import type { KeptListings } from "../domain/kept-listings.ts";
import type { LocalFiles } from "../domain/local-files.ts";
import type { Clock } from "../domain/searching/budget.ts";
import type { CompileRegex } from "../domain/searching/line-matcher.ts";
import type { Targets } from "../domain/targets.ts";
import type { KeptStates } from "../domain/watching/kept-states.ts";

/** What the tools of this server work with. */
export interface Deps {
  readonly targets: Targets;
  readonly listings: KeptListings;
  readonly local: LocalFiles;
  readonly now: Clock;
  readonly compileRegex: CompileRegex;
  readonly watchStates: KeptStates;
  /** Waits some milliseconds, or fails with the signal's reason. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Eight letters and digits for the name of what is made for a time. */
  readonly newId: () => string;
  /** No tool changes anything. */
  readonly readOnly: boolean;
}

export const { defineTool, definePagedTool } = definersFor<Deps>();
