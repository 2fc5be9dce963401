/** A literal text to look for. */
export interface TextQuery {
  readonly text: string;
  readonly ignoreCase: boolean;
}

/** A match in some bytes: where it begins and ends. */
export type Span = readonly [start: number, end: number];

/** The most bytes that a match can have. */
export function longestMatch({ text, ignoreCase }: TextQuery): number {
  // Letters of one fold can take more bytes than others.
  return ignoreCase ? text.length * 3 : Buffer.byteLength(text);
}

/**
 * Looks for a text in bytes of UTF-8; returns a function that gives the next match at or after a place. Places only
 * grow from call to call.
 */
export function findIn(bytes: Uint8Array, query: TextQuery): (from: number) => Span | undefined {
  return query.ignoreCase ? findFolded(bytes, query.text) : findExact(bytes, query.text);
}

function findExact(bytes: Uint8Array, text: string): (from: number) => Span | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wanted = Buffer.from(text);
  return (from) => {
    const at = buffer.indexOf(wanted, from);
    return at < 0 ? undefined : [at, at + wanted.length];
  };
}

function findFolded(bytes: Uint8Array, query: string): (from: number) => Span | undefined {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const folded = foldCase(text);
  const wanted = foldCase(query);
  // A place in the text and the same in the bytes, moving on together.
  let unit = 0;
  let byte = 0;
  return (from) => {
    while (byte < from) {
      const character = String.fromCodePoint(text.codePointAt(unit) ?? 0);
      unit += character.length;
      byte += Buffer.byteLength(character);
    }
    const at = folded.indexOf(wanted, unit);
    if (at < 0) return undefined;
    byte += Buffer.byteLength(text.slice(unit, at));
    unit = at;
    return [byte, byte + Buffer.byteLength(text.slice(at, at + wanted.length))];
  };
}

/** Lower case in which every letter keeps its length, so that places stay the same; a final sigma is a sigma. */
export function foldCase(text: string): string {
  const lower = text.toLowerCase();
  const same = lower.length === text.length ? lower : Array.from(text, foldCharacter).join("");
  return same.replaceAll("ς", "σ");
}

function foldCharacter(character: string): string {
  const lower = character.toLowerCase();
  return lower.length === character.length ? lower : character;
}
