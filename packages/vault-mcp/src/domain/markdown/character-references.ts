/** HTML's names of U+00A0 to U+00FF in order. */
const latin1 =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml".split(
    " ",
  );

/** Names outside Latin-1 that occur in the names of files, and those of Markdown's own marks. */
const others: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  num: "#",
  percnt: "%",
  lpar: "(",
  rpar: ")",
  lsqb: "[",
  rsqb: "]",
  lbrack: "[",
  rbrack: "]",
  vert: "|",
  verbar: "|",
  sol: "/",
  bsol: "\\",
  excl: "!",
  colon: ":",
  comma: ",",
  period: ".",
  ndash: "\u2013",
  mdash: "\u2014",
  lsquo: "\u2018",
  rsquo: "\u2019",
  ldquo: "\u201c",
  rdquo: "\u201d",
  hellip: "\u2026",
  bull: "\u2022",
  euro: "\u20ac",
  trade: "\u2122",
  ensp: "\u2002",
  emsp: "\u2003",
  thinsp: "\u2009",
  OElig: "\u0152",
  oelig: "\u0153",
  Scaron: "\u0160",
  scaron: "\u0161",
};

const reference = /&(?:#[xX]([0-9a-fA-F]{1,6})|#([0-9]{1,7})|([A-Za-z][A-Za-z0-9]{0,31}));/y;

/** The character reference (`&amp;`, `&#38;`, `&#x26;`) at a place, with what it stands for; undefined for none known. */
export function characterReferenceAt(text: string, at: number): { value: string; end: number } | undefined {
  reference.lastIndex = at;
  const match = reference.exec(text);
  if (match === null) return undefined;
  const [, hex, decimal, name] = match;
  const end = reference.lastIndex;
  if (name !== undefined) {
    const value = nameValue(name);
    return value === undefined ? undefined : { value, end };
  }
  return { value: codeValue(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)), end };
}

function nameValue(name: string): string | undefined {
  if (Object.hasOwn(others, name)) return others[name];
  const index = latin1.indexOf(name);
  return index < 0 ? undefined : String.fromCharCode(0xa0 + index);
}

function codeValue(code: number): string {
  const valid = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return valid ? String.fromCodePoint(code) : "\ufffd";
}
