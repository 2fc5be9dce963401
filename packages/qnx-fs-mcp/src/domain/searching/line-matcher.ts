import { QnxFsError } from "../errors.ts";

/** Where a line matches first, in UTF-16 units of its text; undefined where it does not. */
export type MatchText = (text: string) => { readonly start: number; readonly end: number } | undefined;

/** Compiles a regular expression that is matched in linear time. Fails with INVALID_ARGUMENT or PATTERN_TOO_COSTLY. */
export type CompileRegex = (pattern: string, ignoreCase: boolean) => Promise<MatchText>;

/** Looks into a line. */
export interface LineMatcher {
  /** Whether it may match; quick, and never wrong where it says no. */
  mayMatch(line: Buffer): boolean;
  readonly match: MatchText;
}

/** A matcher of a text as it stands, or of a regular expression. */
export async function createLineMatcher(
  { pattern, regex, ignoreCase }: { pattern: string; regex: boolean; ignoreCase: boolean },
  compileRegex: CompileRegex,
): Promise<LineMatcher> {
  if (/[\n\r]/.test(pattern)) {
    throw new QnxFsError("INVALID_ARGUMENT", {
      argument: "pattern",
      problem: "a pattern is compared with one line, which holds no line break",
      next: "Pass a pattern without line breaks.",
    });
  }
  if (regex) return { mayMatch: () => true, match: await compileRegex(pattern, ignoreCase) };
  // A letter that changes its length with its case would shift what follows; only letters that keep it are folded.
  const fold = (text: string): string => text.replace(/\p{L}/gu, foldLetter);
  const wanted = ignoreCase ? fold(pattern) : pattern;
  const bytes = Buffer.from(pattern, "utf8");
  return {
    mayMatch: (line) => ignoreCase || line.includes(bytes),
    match: (text) => {
      const start = (ignoreCase ? fold(text) : text).indexOf(wanted);
      return start === -1 ? undefined : { start, end: start + wanted.length };
    },
  };
}

function foldLetter(letter: string): string {
  const lower = letter.toLowerCase();
  return lower.length === letter.length ? lower : letter;
}
