import { InvalidPattern, matchPaths, PatternTooCostly } from "@mcp-file-servers/glob";
import { VaultError } from "../errors.ts";

/**
 * The indexes of the paths that a caller's pattern matches.
 *
 * @throws VaultError INVALID_ARGUMENT for a text that is no pattern, PATTERN_TOO_COSTLY.
 */
export function matchPattern(pattern: string, paths: readonly string[]): number[] {
  try {
    return matchPaths(pattern, paths);
  } catch (error) {
    if (error instanceof PatternTooCostly) {
      throw new VaultError("PATTERN_TOO_COSTLY", { limit: error.limit }, { cause: error });
    }
    if (!(error instanceof InvalidPattern)) throw error;
    const next = 'Call again with a pattern such as "*.md" or "Folder/**".';
    throw new VaultError(
      "INVALID_ARGUMENT",
      { argument: "pattern", problem: error.problem, next },
      { cause: error },
    );
  }
}
