import { InvalidPattern, PatternTooCostly } from "./errors.ts";

/** A piece of a pattern. Text is literal and in NFC. */
export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "slash" }
  | { readonly kind: "any" }
  | { readonly kind: "star" }
  | { readonly kind: "globstar" }
  | { readonly kind: "class"; readonly source: string; readonly negated: boolean; readonly members: string }
  | { readonly kind: "braces"; readonly alternatives: readonly Pieces[] };

export type Pieces = readonly Piece[];

export interface Pattern {
  readonly pieces: Pieces;
  /** Whether the pattern speaks of whole paths; without a slash it speaks of the last name alone. */
  readonly wholePath: boolean;
}

/** The bounds of a pattern's text; time is bounded where it is matched. */
export const limits = { characters: 1_000, starsInSegment: 3, globstars: 3, braceDepth: 5 } as const;

/**
 * Reads a pattern: `*`, `**`, `?`, `[a-z]`, `[!a-z]`, `{a,b}`, and `\` before a character that is meant as it
 * stands. Everything else is literal, and so is a bracket or brace that is not closed, a bracket group with a
 * slash in it, and a brace group without a comma. A leading `/` or `./` ties the pattern to the root.
 *
 * @throws InvalidPattern for an empty pattern, a NUL and a range whose ends are in the wrong order.
 * @throws PatternTooCostly where a bound of `limits` is exceeded.
 */
export function parsePattern(text: string): Pattern {
  if (text.length > limits.characters) throw new PatternTooCostly(`${limits.characters} characters`);
  if (text.includes("\0")) throw new InvalidPattern("has a NUL character in it");
  const anchor = /^(?:\.?\/)+/.exec(text)?.[0] ?? "";
  const source = text.slice(anchor.length).toWellFormed().normalize("NFC");
  if (source === "") throw new InvalidPattern(text === "" ? "is empty" : "names no file");
  const pieces = new Reader(source).sequence(0, source.length, 0);
  checkCost(pieces);
  return { pieces, wholePath: anchor !== "" || hasSlash(pieces) };
}

class Reader {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  sequence(from: number, to: number, depth: number): Piece[] {
    const pieces: Piece[] = [];
    let text = "";
    const push = (piece: Piece) => {
      if (text !== "") pieces.push({ kind: "text", text });
      text = "";
      pieces.push(piece);
    };
    let at = from;
    while (at < to) {
      const char = this.source.charAt(at);
      const group = char === "[" ? this.class(at, to) : char === "{" ? this.braces(at, to, depth) : undefined;
      if (group !== undefined) {
        push(group.piece);
        at = group.end;
      } else if (char === "\\" && at + 1 < to) {
        text += this.source.charAt(at + 1);
        at += 2;
      } else if (char === "*") {
        const end = this.skip(at, to, "*");
        push({ kind: this.isGlobstar(at, end, from, to) ? "globstar" : "star" });
        at = end;
      } else if (char === "?" || char === "/") {
        push({ kind: char === "?" ? "any" : "slash" });
        at += 1;
      } else {
        text += char;
        at += 1;
      }
    }
    if (text !== "") pieces.push({ kind: "text", text });
    return pieces;
  }

  skip(at: number, to: number, char: string): number {
    let end = at;
    while (end < to && this.source.charAt(end) === char) end += 1;
    return end;
  }

  /** Two stars or more that are a whole segment; elsewhere they are as good as one. */
  isGlobstar(at: number, end: number, from: number, to: number): boolean {
    const before = at === from ? this.source.charAt(from - 1) : this.source.charAt(at - 1);
    const after = end === to ? this.source.charAt(to) : this.source.charAt(end);
    return end - at >= 2 && "/{,".includes(before) && "/},".includes(after);
  }

  class(at: number, to: number): { piece: Piece; end: number } | undefined {
    const negated = "!^".includes(this.source.charAt(at + 1)) && at + 1 < to;
    const from = at + (negated ? 2 : 1);
    const close = this.source.indexOf("]", from + 1);
    if (close < 0 || close >= to) return undefined;
    const members = this.source.slice(from, close);
    if (members.includes("/")) return undefined;
    const source = this.source.slice(at, close + 1);
    for (const [range, first = "", last = ""] of members.matchAll(/(.)-(.)/gsu)) {
      if ((first.codePointAt(0) ?? 0) > (last.codePointAt(0) ?? 0)) {
        throw new InvalidPattern(`has the range ${range} in ${source}, whose ends are in the wrong order`);
      }
    }
    return { piece: { kind: "class", source, negated, members }, end: close + 1 };
  }

  braces(at: number, to: number, depth: number): { piece: Piece; end: number } | undefined {
    const commas: number[] = [];
    let open = 0;
    for (let i = at; i < to; i += 1) {
      const char = this.source.charAt(i);
      if (char === "\\") i += 1;
      else if (char === "{") open += 1;
      else if (char === "," && open === 1) commas.push(i);
      else if (char === "}") {
        open -= 1;
        if (open > 0) continue;
        if (commas.length === 0) return undefined;
        if (depth >= limits.braceDepth)
          throw new PatternTooCostly(`${limits.braceDepth} braces in each other`);
        const bounds = [at, ...commas, i];
        const alternatives = bounds
          .slice(1)
          .map((end, index) => this.sequence((bounds[index] ?? at) + 1, end, depth + 1));
        return { piece: { kind: "braces", alternatives }, end: i + 1 };
      }
    }
    return undefined;
  }
}

function hasSlash(pieces: Pieces): boolean {
  return pieces.some((piece) =>
    piece.kind === "braces" ? piece.alternatives.some(hasSlash) : piece.kind === "slash",
  );
}

function checkCost(pieces: Pieces): void {
  const cost = costOf(pieces);
  if (cost.globstars > limits.globstars) throw new PatternTooCostly(`${limits.globstars} "**"`);
  if (Math.max(cost.first, cost.last, cost.most) > limits.starsInSegment) {
    throw new PatternTooCostly(`${limits.starsInSegment} "*" in one part between slashes`);
  }
}

interface Cost {
  globstars: number;
  /** Stars before the first slash, after the last, and the most in a segment between; along the dearest way. */
  first: number;
  last: number;
  most: number;
  slashes: boolean;
}

/** Of a brace group the dearest alternative counts, so that `{*.png,*.jpg,*.gif,*.webp}` is one star. */
function costOf(pieces: Pieces): Cost {
  const cost: Cost = { globstars: 0, first: 0, last: 0, most: 0, slashes: false };
  const add = (stars: number) => {
    cost.last += stars;
    if (!cost.slashes) cost.first = cost.last;
    cost.most = Math.max(cost.most, cost.last);
  };
  for (const piece of pieces) {
    if (piece.kind === "globstar") cost.globstars += 1;
    else if (piece.kind === "star") add(1);
    else if (piece.kind === "slash") {
      cost.slashes = true;
      cost.last = 0;
    } else if (piece.kind === "braces") {
      const inner = piece.alternatives.map(costOf);
      cost.globstars += Math.max(...inner.map((one) => one.globstars));
      cost.most = Math.max(cost.most, ...inner.map((one) => one.most));
      add(Math.max(...inner.map((one) => one.first)));
      if (inner.some((one) => one.slashes)) {
        // The segment goes on after the dearest ending of an alternative, or where one has no slash, from before.
        cost.last = Math.max(...inner.map((one) => (one.slashes ? one.last : cost.last)));
        cost.slashes = true;
      }
    }
  }
  return cost;
}
