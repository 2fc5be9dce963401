import type { LinkedFiles } from "./rename-planner.ts";

/** What is known of the vault's links without reading its texts; all of it as the disk has it, or nothing. */
export interface LinkIndex {
  /** All files and aliases, with every change of before this call; undefined where that cannot be said yet. */
  current(signal: AbortSignal): Promise<LinkedFiles | undefined>;
  /**
   * Paths of the files that may have a link under one of the keys, and of those of which it is not known.
   *
   * @param keys as `fileKeys` gives them.
   */
  sources(keys: Iterable<string>): Promise<readonly string[]>;
}
