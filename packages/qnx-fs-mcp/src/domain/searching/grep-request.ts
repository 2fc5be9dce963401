import type { RawName } from "../raw-name.ts";
import type { Clock, SearchBudget } from "./budget.ts";
import type { LineMatcher } from "./line-matcher.ts";
import type { LineMatch } from "./search-lines.ts";
import type { WalkReport } from "./walk-tree.ts";

/** Where a search goes on: in a file, at a byte, which begins the line after `line`; or after the file. */
export interface GrepPosition {
  /** Below the path that is searched; "" for that itself. */
  readonly path: RawName;
  readonly line: number;
  /** null: nothing is left of the file. */
  readonly offset: number | null;
}

export interface GrepRequest {
  /** A file, or a directory below which all files are searched. */
  readonly path: string;
  readonly matcher: LineMatcher;
  /** A glob on the files' names, or on their paths below `path` where it has a slash. */
  readonly include: string | undefined;
  readonly context: number;
  readonly maxDepth: number | undefined;
  readonly count: number;
  readonly after: GrepPosition | undefined;
}

export interface GrepMatch extends LineMatch {
  readonly path: RawName;
}

export interface GrepPage {
  readonly realPath: string;
  readonly matches: readonly GrepMatch[];
  readonly more: boolean;
  /** Where the search ended, where that is not its last match. */
  readonly end: GrepPosition | undefined;
  /** The search ended on its budget. */
  readonly stopped: boolean;
  readonly files: number;
  readonly bytes: number;
  readonly binaries: number;
  readonly longLines: number;
  /** Files that could not be read, the first ones by name. */
  readonly failed: readonly string[];
  readonly failedCount: number;
  readonly report: WalkReport;
}

export interface GrepServices {
  readonly budget: SearchBudget;
  readonly now: Clock;
  /** Hears how many bytes were read. */
  readonly progress: (bytes: number) => void;
}
