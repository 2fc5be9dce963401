/** A word of a text: as it is compared, and where it stands, in UTF-16 units. */
export interface Word {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** Words run together in these scripts: they are found by pairs of characters. */
const unspaced =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々〆";

/** Runs without spaces, words of letters and digits, single symbols such as emoji. */
const runs = new RegExp(
  `([${unspaced}][${unspaced}\\p{M}]*)|((?:(?![${unspaced}])[\\p{L}\\p{N}\\p{Co}])(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}\\p{Co}])*)|([\\p{So}\\p{Extended_Pictographic}])`,
  "gu",
);

const unspacedStart = new RegExp(`^[${unspaced}]`, "u");

/** Accents over and under letters, and the points of Hebrew and Arabic; other marks are letters of their scripts. */
const accents =
  /[\u0300-\u036f]|[\u0591-\u05c7\u064b-\u065f]|\u0670|[\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g;

/** What a letter such as ⑴ has in it besides letters. */
const punctuation = /[ -/:-@[-`{-~]/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
const ascii = /^[\u0000-\u007f]*$/;

/** Text as it is searched: case, accents and the width of letters do not matter. */
export function foldForSearch(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  return text
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKD")
    .replace(accents, "")
    .normalize("NFC")
    .replaceAll("ς", "σ");
}

/**
 * The words of a text in order. A run of a script without spaces gives each pair of characters that follow each other
 * and its last character alone, so that any part of two or more is a row of pairs.
 */
export function* wordsOf(text: string): Generator<Word> {
  if (ascii.test(text)) {
    // The same in a fraction of the time: most text is of this kind.
    for (const { 0: word, index } of text.matchAll(/[a-z0-9]+/gi))
      yield { word: word.toLowerCase(), start: index, end: index + word.length };
    return;
  }
  for (const match of text.matchAll(runs)) {
    const [whole, run] = match;
    const start = match.index;
    if (run === undefined) {
      const word = foldForSearch(whole).replace(punctuation, "");
      if (word !== "") yield { word, start, end: start + whole.length };
    } else yield* pairsOf(run, start);
  }
}

function* pairsOf(run: string, start: number): Generator<Word> {
  let at = start;
  let before: { readonly char: string; readonly start: number } | undefined;
  for (const char of run) {
    if (before !== undefined) {
      const word = foldForSearch(before.char + char);
      yield { word, start: before.start, end: at + char.length };
    }
    before = { char, start: at };
    at += char.length;
  }
  if (before !== undefined) yield { word: foldForSearch(before.char), start: before.start, end: at };
}

/** Whether a word is of a script without spaces. */
export function isUnspaced(word: string): boolean {
  return unspacedStart.test(word);
}

/** The words of a text for a full-text index that takes them apart at spaces and folds nothing (FTS5's `ascii`). */
export function indexedWords(text: string): string {
  return Array.from(wordsOf(text), ({ word }) => word).join(" ");
}
