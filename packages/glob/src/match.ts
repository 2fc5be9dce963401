import { PatternTooCostly } from "./errors.ts";
import { expandBraces } from "./expand-braces.ts";
import { type Pattern, type Pieces, parsePattern } from "./parse-pattern.ts";
import { toRegex } from "./to-regex.ts";
import { type WorkClock, withinTime } from "./within-time.ts";

export interface MatchOptions {
  /** Milliseconds of work that matching may take; 250 unless said otherwise. */
  readonly timeLimitMs?: number;
  readonly clock?: WorkClock;
}

/**
 * Which of `paths` a caller's pattern matches, as rising indexes. Paths are relative with `/` between names; both
 * sides are compared in NFC. A pattern without a slash is matched against the last name of each path, at any
 * depth, and so serves for plain names too. A bracket group that occurs literally in any of `paths` is only
 * literal, otherwise it is a class.
 *
 * @throws InvalidPattern, PatternTooCostly
 */
export function matchPaths(pattern: string, paths: readonly string[], options: MatchOptions = {}): number[] {
  const parsed = parsePattern(pattern);
  const { timeLimitMs = 250, clock } = options;
  const normal: string[] = [];
  const isMatched = new Uint8Array(paths.length);
  let matches: ((path: string) => boolean) | undefined;
  let next = 0;
  // May be stopped anywhere and called again: each step can be taken twice.
  const isOver = withinTime(
    timeLimitMs,
    () => {
      while (normal.length < paths.length) normal.push((paths[normal.length] as string).normalize("NFC"));
      matches ??= matcherOf(parsed, (group) => normal.some((path) => path.includes(group)));
      for (; next < normal.length; next += 1) if (matches(normal[next] as string)) isMatched[next] = 1;
    },
    clock,
  );
  if (!isOver) throw new PatternTooCostly(`${timeLimitMs} ms of matching`);
  return normal.flatMap((_, index) => (isMatched[index] === 1 ? [index] : []));
}

/**
 * A pattern of the operator's own, such as an exclusion on the command line, ready for single paths. Its text is
 * bounded like any pattern's, its time is not. A bracket group is literal for the paths that hold it literally.
 *
 * @throws InvalidPattern, PatternTooCostly
 */
export function compilePattern(pattern: string): (path: string) => boolean {
  const parsed = parsePattern(pattern);
  const matchers = new Map<string, (path: string) => boolean>();
  const groups = classesOf(parsed.pieces);
  return (path) => {
    const normal = path.normalize("NFC");
    const literal = groups.filter((group) => normal.includes(group));
    const key = literal.join("/");
    let matches = matchers.get(key);
    if (matches === undefined) {
      matches = matcherOf(parsed, (group) => literal.includes(group));
      matchers.set(key, matches);
    }
    return matches(normal);
  };
}

/**
 * The text, in NFC, that every path begins with that the pattern matches; empty where there is none, as for a
 * pattern without a slash. A database can narrow by it before paths are matched.
 *
 * @throws InvalidPattern, PatternTooCostly
 */
export function literalPrefix(pattern: string): string {
  const { pieces, wholePath } = parsePattern(pattern);
  if (!wholePath) return "";
  let prefix = "";
  for (const piece of pieces) {
    if (piece.kind === "text") prefix += piece.text;
    else if (piece.kind === "slash") prefix += "/";
    else break;
  }
  return prefix;
}

function matcherOf(pattern: Pattern, isLiteral: (group: string) => boolean): (path: string) => boolean {
  const regexes = expandBraces(pattern.pieces).map((pieces) => toRegex(pieces, isLiteral));
  const matches = (text: string) => regexes.some((regex) => regex.test(text));
  return pattern.wholePath ? matches : (path) => matches(path.slice(path.lastIndexOf("/") + 1));
}

function classesOf(pieces: Pieces): string[] {
  return pieces.flatMap((piece) => {
    if (piece.kind === "class") return [piece.source];
    return piece.kind === "braces" ? piece.alternatives.flatMap(classesOf) : [];
  });
}
