import { QnxFsError } from "../../domain/errors.ts";
import type { MatchText } from "../../domain/searching/line-matcher.ts";

/** Instructions of a compiled expression: each may be looked at for every character of a line. */
const largestProgram = 1_000;

/** Compiles an expression of RE2's syntax, which is matched in linear time. The library is loaded on first use. */
export async function compileRegex(pattern: string, ignoreCase: boolean): Promise<MatchText> {
  const { RE2JS } = await import("re2js");
  const tooCostly = (limit: string, cause?: unknown): QnxFsError =>
    new QnxFsError("PATTERN_TOO_COSTLY", { argument: "pattern", pattern, limit }, { cause });
  let compiled: InstanceType<typeof RE2JS>;
  try {
    compiled = RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  } catch (error) {
    const { message } = error as Error;
    if (/repeat count|too large|nest/i.test(message) && !/nested repetition/.test(message)) {
      throw tooCostly("repetitions and nesting", error);
    }
    throw new QnxFsError(
      "INVALID_ARGUMENT",
      {
        argument: "pattern",
        problem: `no regular expression of RE2's syntax: ${message.replace("error parsing regexp: ", "")}`,
        next: "Correct it (RE2 has no look-around and no backreferences), or pass regex: false to search for the text as it stands.",
      },
      { cause: error },
    );
  }
  if (compiled.programSize() > largestProgram) throw tooCostly(`${largestProgram} instructions`);
  return (text) => {
    if (!compiled.test(text)) return undefined;
    const matcher = compiled.matcher(text);
    return matcher.find() ? { start: matcher.start(), end: matcher.end() } : undefined;
  };
}
