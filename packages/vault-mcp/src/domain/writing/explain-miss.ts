import { distance } from "fastest-levenshtein";

/** Where a text that was not found is most nearly found, and what is different there. */
export interface Miss {
  /** What kind of difference it is when that is all there is. */
  readonly kind: "whitespace" | "typography" | "case" | "other";
  /** From 1. */
  readonly line: number;
  readonly lineText: string;
  /** The end of what agrees before the first difference. */
  readonly agrees: string;
  /** The first character that differs; empty where the text ends. */
  readonly wanted: string;
  readonly found: string;
}

/** Longer texts are not searched for near misses. */
const mostCharacters = 2_000_000;
const comparedCharacters = 120;

const typographic: Readonly<Record<string, string>> = {
  "‘": "'",
  "’": "'",
  "‚": "'",
  "′": "'",
  "“": '"',
  "”": '"',
  "„": '"',
  "″": '"',
  "«": '"',
  "»": '"',
  "‐": "-",
  "‑": "-",
  "‒": "-",
  "–": "-",
  "—": "-",
  "−": "-",
  "…": "...",
  "\u200b": "",
  "\u200c": "",
  "\u200d": "",
  "\ufeff": "",
  "\u00ad": "",
  "\ufe0f": "",
};

type Fold = (character: string) => string;

const noSpace: Fold = (character) => (/\s/u.test(character) ? "" : character);
// One space of any kind counts as another; their number does not change.
const noTypography: Fold = (character) =>
  typographic[character] ?? (/[^\S\n]/u.test(character) ? " " : character.normalize("NFKD"));
const noCase: Fold = (character) => character.toLowerCase();

const folds: readonly (readonly [Miss["kind"], Fold])[] = [
  ["typography", noTypography],
  ["whitespace", noSpace],
  ["case", noCase],
  ["typography", (character) => noSpace(noTypography(character))],
];

/** Explains why `wanted` is not in `text` (both with LF alone); undefined where nothing resembles it. */
export function explainMiss(text: string, wanted: string): Miss | undefined {
  if (text.length > mostCharacters) return undefined;
  for (const [kind, fold] of folds) {
    const place = findFolded(text, wanted, fold);
    if (place !== undefined) return describe(text, place, wanted, kind);
  }
  const near = findNearest(text, wanted);
  return near === undefined ? undefined : describe(text, near.place, wanted.slice(near.skipped), "other");
}

function findFolded(text: string, wanted: string, fold: Fold): number | undefined {
  const needle = Array.from(wanted, fold).join("");
  if (needle === "") return undefined;
  let folded = "";
  const places: number[] = [];
  let place = 0;
  for (const character of text) {
    const piece = fold(character);
    for (let unit = 0; unit < piece.length; unit += 1) places.push(place);
    folded += piece;
    place += character.length;
  }
  const at = folded.indexOf(needle);
  return at < 0 ? undefined : places[at];
}

/** The place from which most of `wanted` is found; `skipped` are blank characters at its beginning. */
function findNearest(text: string, wanted: string): { place: number; skipped: number } | undefined {
  const skipped = wanted.length - wanted.trimStart().length;
  const rest = wanted.slice(skipped);
  const first = (rest.split("\n", 1)[0] ?? "").trimEnd().slice(0, comparedCharacters);
  if (first === "") return undefined;
  let best: { place: number; score: number } | undefined;
  let start = 0;
  for (const line of text.split("\n")) {
    const indent = line.length - line.trimStart().length;
    const inside = line.indexOf(first);
    const place = start + (inside >= 0 ? inside : indent);
    const score = inside >= 0 ? -common(text, place, rest) : scoreOf(line.slice(indent), first);
    if (score !== undefined && (best === undefined || score < best.score)) best = { place, score };
    start += line.length + 1;
  }
  return best === undefined ? undefined : { place: best.place, skipped };
}

/** How unlike two lines are; undefined where they have too little in common. */
function scoreOf(line: string, first: string): number | undefined {
  const limit = Math.ceil(first.length / 2);
  if (line === "" || first.length - line.length > limit) return undefined;
  const apart = distance(line.slice(0, first.length), first);
  return apart <= limit ? apart : undefined;
}

function common(text: string, place: number, wanted: string): number {
  let length = 0;
  while (length < wanted.length && text[place + length] === wanted[length]) length += 1;
  return length;
}

function describe(text: string, place: number, wanted: string, kind: Miss["kind"]): Miss {
  const length = common(text, place, wanted);
  const differs = place + length;
  const lineStart = text.lastIndexOf("\n", differs - 1) + 1;
  const lineEnd = text.indexOf("\n", lineStart);
  return {
    kind,
    line: text.slice(0, lineStart).split("\n").length,
    lineText: text
      .slice(lineStart, lineEnd < 0 ? text.length : lineEnd)
      .slice(0, 200)
      .toWellFormed(),
    agrees: wanted.slice(Math.max(0, length - 20), length).toWellFormed(),
    wanted: characterAt(wanted, length),
    found: characterAt(text, differs),
  };
}

function characterAt(text: string, place: number): string {
  const code = text.codePointAt(place);
  return code === undefined ? "" : String.fromCodePoint(code);
}
