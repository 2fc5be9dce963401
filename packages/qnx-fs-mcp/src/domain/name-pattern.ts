import { InvalidPattern, matchPaths, PatternTooCostly } from "@mcp-file-servers/glob";
import { QnxFsError } from "./errors.ts";

/** Which of `names` a caller's glob matches, as rising indexes. */
export function matchingNames(pattern: string, names: readonly string[]): readonly number[] {
  if (pattern.includes("/")) {
    throw new QnxFsError("INVALID_ARGUMENT", {
      argument: "pattern",
      problem: "a pattern is compared with names, which hold no slash",
      next: "Pass the directory as path and a pattern for the names in it, such as *.core, or call file_find, whose pattern may hold slashes.",
    });
  }
  return matchingPaths(pattern, names);
}

/** Which of `paths` a caller's glob matches, as rising indexes; without a slash in it, by their last names. */
export function matchingPaths(pattern: string, paths: readonly string[]): readonly number[] {
  try {
    return matchPaths(pattern, paths);
  } catch (error) {
    if (error instanceof PatternTooCostly) {
      const { limit } = error;
      throw new QnxFsError("PATTERN_TOO_COSTLY", { argument: "pattern", pattern, limit }, { cause: error });
    }
    if (error instanceof InvalidPattern) {
      throw new QnxFsError(
        "INVALID_ARGUMENT",
        {
          argument: "pattern",
          problem: `the pattern ${error.problem}`,
          next: "Pass a glob such as *.core, with *, ? and [abc].",
        },
        { cause: error },
      );
    }
    throw error;
  }
}
