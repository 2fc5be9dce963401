import { PatternTooCostly } from "./errors.ts";
import type { Piece, Pieces } from "./parse-pattern.ts";

const mostWays = 100;

/**
 * The patterns without wildcards in braces that a pattern stands for; groups of plain texts stay as they are.
 * Stars that come to stand side by side are one, and a `**` that is no whole segment any more is a `*`.
 *
 * @throws PatternTooCostly where there are more than 100.
 */
export function expandBraces(pieces: Pieces): Pieces[] {
  return waysThrough(pieces).map(settleStars);
}

function waysThrough(pieces: Pieces): Pieces[] {
  let ways: Piece[][] = [[]];
  for (const piece of pieces) {
    const continuations =
      piece.kind === "braces" && !isPlain(piece.alternatives) ? alternativesOf(piece) : [[piece]];
    if (ways.length * continuations.length > mostWays) {
      throw new PatternTooCostly(`${mostWays} ways through its braces`);
    }
    ways = ways.flatMap((way) => continuations.map((continuation) => [...way, ...continuation]));
  }
  return ways;
}

function alternativesOf(piece: Extract<Piece, { kind: "braces" }>): Pieces[] {
  return piece.alternatives.flatMap(waysThrough);
}

/** Whether every alternative is a text that is not empty. */
function isPlain(alternatives: readonly Pieces[]): boolean {
  return alternatives.every((pieces) => pieces.length === 1 && pieces[0]?.kind === "text");
}

function settleStars(pieces: Pieces): Pieces {
  const isEdge = (piece: Piece | undefined) => piece === undefined || piece.kind === "slash";
  const settled: Piece[] = [];
  for (const [index, piece] of pieces.entries()) {
    const whole = isEdge(pieces[index - 1]) && isEdge(pieces[index + 1]);
    const star = piece.kind === "star" || (piece.kind === "globstar" && !whole);
    if (star && settled.at(-1)?.kind === "star") continue;
    settled.push(star ? { kind: "star" } : piece);
  }
  return settled;
}
