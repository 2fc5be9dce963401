export { InvalidPattern, PatternTooCostly } from "./errors.ts";
export { compilePattern, literalPrefix, type MatchOptions, matchPaths } from "./match.ts";
