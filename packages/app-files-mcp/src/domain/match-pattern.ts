import { InvalidPattern, literalPrefix, matchPaths, PatternTooCostly } from "@mcp-file-servers/glob";
import { AppFilesError } from "./errors.ts";

/**
 * Which of `paths` a caller's pattern matches, as rising indexes.
 *
 * @throws AppFilesError INVALID_ARGUMENT, PATTERN_TOO_COSTLY
 */
export function matchPattern(pattern: string, paths: readonly string[]): number[] {
  return told(pattern, () => matchPaths(pattern, paths));
}

/**
 * The text that every match begins with.
 *
 * @throws AppFilesError INVALID_ARGUMENT, PATTERN_TOO_COSTLY
 */
export function patternPrefix(pattern: string): string {
  return told(pattern, () => literalPrefix(pattern));
}

function told<Result>(pattern: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    if (error instanceof PatternTooCostly) {
      throw new AppFilesError("PATTERN_TOO_COSTLY", { pattern, limit: error.limit }, { cause: error });
    }
    if (error instanceof InvalidPattern) {
      throw new AppFilesError(
        "INVALID_ARGUMENT",
        {
          argument: "pattern",
          problem: `${error.problem}`,
          next: "Call again with a pattern such as *.pdf or reports/**/*.csv.",
        },
        { cause: error },
      );
    }
    throw error;
  }
}
