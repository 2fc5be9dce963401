import picomatch from "picomatch";
import type { Piece, Pieces } from "./parse-pattern.ts";

const options: picomatch.PicomatchOptions = {
  dot: true,
  nonegate: true,
  noextglob: true,
  literalBrackets: false,
  strictSlashes: true,
  keepQuotes: true,
  fastpaths: false,
  posix: false,
  windows: false,
  flags: "su",
  debug: true,
};

/**
 * The regular expression of a pattern whose braces are expanded, by picomatch. The pattern is written anew for it,
 * with every other character that picomatch gives a meaning to taken as it stands.
 *
 * @param isLiteral whether a bracket group, such as `[2031]`, stands for its own text.
 */
export function toRegex(pieces: Pieces, isLiteral: (group: string) => boolean): RegExp {
  return picomatch.makeRe(write(pieces, isLiteral), options);
}

function write(pieces: Pieces, isLiteral: (group: string) => boolean): string {
  const text = pieces.map((piece) => writePiece(piece, isLiteral)).join("");
  // `folder/**` is what lies in the folder, not the folder's own name.
  return pieces.length > 1 && pieces.at(-1)?.kind === "globstar" ? `${text}/*` : text;
}

function writePiece(piece: Piece, isLiteral: (group: string) => boolean): string {
  switch (piece.kind) {
    case "text":
      return writeText(piece.text);
    case "slash":
      return "/";
    case "any":
      return "?";
    case "star":
      return "*";
    case "globstar":
      return "**";
    case "class":
      if (isLiteral(piece.source)) return writeText(piece.source);
      return `[${piece.negated ? "^" : ""}${piece.members.replace(/[\\[\]^]|^-|-$/g, "\\$&")}]`;
    case "braces":
      return `{${piece.alternatives.map((one) => write(one, isLiteral)).join(",")}}`;
  }
}

/** A class of one character is the one form that picomatch passes on untouched wherever it stands. */
function writeText(text: string): string {
  return text.replace(/["@!+.,$*?(){}|[\]\\^]/g, (char) =>
    "[]\\^".includes(char) ? `[\\${char}]` : `[${char}]`,
  );
}
