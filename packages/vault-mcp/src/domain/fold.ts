/** Text as it is compared without regard to case: NFC, case-folded. */
export function fold(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII, where lower case is everything.
  if (/^[\u0000-\u007f]*$/.test(text)) return text.toLowerCase();
  // Upper case first: it unites letters that lower case alone keeps apart, such as ß and ss. A sigma becomes σ or ς by
  // what follows it, so that a name with and without its extension would differ.
  return text.normalize("NFC").toUpperCase().toLowerCase().replaceAll("ς", "σ").normalize("NFC");
}

/**
 * A name as links compare it: NFC, in lower case, as Obsidian and file systems have it. Names that only a fuller folding
 * unites, such as Straße and Strasse, are two files.
 */
export function foldName(name: string): string {
  return name.normalize("NFC").toLowerCase().replaceAll("ς", "σ").normalize("NFC");
}

/** Order of code points, which is also the order of UTF-8 bytes; UTF-16 units differ where surrogates meet U+E000 on. */
export function compareBinary(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const unitA = a.charCodeAt(i);
    const unitB = b.charCodeAt(i);
    if (unitA !== unitB) return rank(unitA) - rank(unitB);
  }
  return a.length - b.length;
}

function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
