import { unescapedAt, unescapeMarkdown } from "../markdown/unescape.ts";

/** What a link's target names. */
export interface Target {
  readonly path: string;
  readonly heading: string | undefined;
  readonly block: string | undefined;
}

/** A target with the length of its path as written. */
export interface ReadTarget extends Target {
  readonly pathLength: number;
}

/** Reads a Markdown destination: backslashes, references and percent-encoding decoded; the fragment begins at a bare `#`. */
export function readDestination(raw: string): ReadTarget {
  const pathLength = fragmentStart(raw);
  const path = decodePercent(unescapeMarkdown(raw.slice(0, pathLength)));
  const fragment = decodePercent(unescapeMarkdown(raw.slice(pathLength)));
  const { heading, block } = readFragment(fragment.slice(1));
  return { pathLength, path, heading, block };
}

/** Reads a wikilink's target; nothing in it is encoded. */
export function readWikiTarget(raw: string): ReadTarget {
  const hash = raw.indexOf("#");
  const rawPath = hash < 0 ? raw : raw.slice(0, hash);
  const fragment = hash < 0 ? "" : raw.slice(hash + 1);
  const { heading, block } = readFragment(fragment);
  return { pathLength: rawPath.trimEnd().length, path: rawPath.trim(), heading, block };
}

export function readFragment(fragment: string): Omit<Target, "path"> {
  const text = fragment.trim();
  if (text === "") return { heading: undefined, block: undefined };
  return text.startsWith("^")
    ? { heading: undefined, block: text.slice(1) }
    : { heading: text, block: undefined };
}

function fragmentStart(raw: string): number {
  for (let at = 0; at < raw.length; ) {
    const { value, end } = unescapedAt(raw, at);
    // A character reference holds a # of its own; what it stands for begins no fragment.
    if (value === "#" && end - at <= 2) return at;
    at = end;
  }
  return raw.length;
}

/** A text that is no valid encoding of a name stands as it is: a file may be called `100%.md`, and none has a NUL. */
function decodePercent(text: string): string {
  if (!text.includes("%")) return text;
  try {
    const decoded = decodeURIComponent(text);
    return decoded.includes("\0") ? text : decoded;
  } catch {
    return text;
  }
}

/** Whether a Markdown destination leaves the vault: any URI scheme, or another host. */
export function isExternalDestination(raw: string): boolean {
  const plain = unescapeMarkdown(raw);
  return /^[a-z][a-z0-9+.-]*:/i.test(plain) || plain.startsWith("//");
}

/** Whether a wikilink's target is an address; `[[Re: something]]` is a note. */
export function isExternalTarget(raw: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:\/\/|mailto:)/i.test(raw.trim());
}
