import { type Destination, inlineTailAt, labelAt, normalizeLabel } from "./link-syntax.ts";
import type { Range } from "./mapped-text.ts";
import { type FindMark, markFinder } from "./mark-finder.ts";
import { opaqueSpans } from "./opaque-spans.ts";

/** A link as it stands in a paragraph's text; all positions count there. */
export interface InlineLink extends Range {
  /** Whether it begins with `!`. */
  readonly image: boolean;
  /** Between the brackets: the label, or all of a wikilink. */
  readonly inner: Range;
  /** Where it leads: an own destination, the label of a definition (normalized), or a wikilink's own text. */
  readonly to: { readonly destination: Destination } | { readonly label: string } | "wikilink";
}

interface Opening {
  readonly at: number;
  readonly image: boolean;
  /** Whether a bracket opens inside: such a text is no label. */
  bracketInside: boolean;
}

/**
 * The links of a paragraph's text in the order of their ends, by CommonMark's rules; wikilinks, math and `%%` comments
 * bind as code spans do. In time linear to the text.
 *
 * @param isDefined whether a normalized label has a definition.
 */
export function findLinks(text: string, isDefined: (label: string) => boolean): InlineLink[] {
  const links: InlineLink[] = [];
  if (!text.includes("[")) return links;
  const find = markFinder(text);
  const opaqueEnd = opaqueSpans(text, find);
  const openings = new OpenBrackets();
  const special = /[\\`<$%![\]]/g;
  for (let at = 0; ; ) {
    special.lastIndex = at;
    if (!special.test(text)) return links;
    at = special.lastIndex - 1;
    const image = text.startsWith("![", at);
    const bracket = image ? at + 1 : at;
    if (text[bracket] === "[") {
      const close = wikilinkClose(text, bracket, find);
      if (close === undefined) openings.push(at, image);
      else {
        links.push({
          start: at,
          end: close + 2,
          image,
          inner: { start: bracket + 2, end: close },
          to: "wikilink",
        });
        openings.markInside();
        if (!image) openings.deactivate();
      }
      at = close === undefined ? bracket + 1 : close + 2;
    } else if (text[at] === "]") {
      const link = linkAt(text, at, openings.pop(), isDefined);
      if (link !== undefined) {
        if (link.image) dropInside(links, link.start);
        links.push(link);
      }
      if (link?.image === false) openings.deactivate();
      at = link?.end ?? at + 1;
    } else {
      at = opaqueEnd(at);
    }
  }
}

/** Brackets that are open; of those that are no images, the ones before a link are inactive: links hold no links. */
class OpenBrackets {
  readonly #stack: Opening[] = [];
  #inactiveBelow = 0;

  push(at: number, image: boolean): void {
    this.markInside();
    this.#stack.push({ at, image, bracketInside: false });
  }

  markInside(): void {
    const last = this.#stack.at(-1);
    if (last !== undefined) last.bracketInside = true;
  }

  /** Takes the last one away; undefined where there is none, or it is inactive. */
  pop(): Opening | undefined {
    const opening = this.#stack.pop();
    const active = opening?.image || this.#stack.length >= this.#inactiveBelow;
    this.#inactiveBelow = Math.min(this.#inactiveBelow, this.#stack.length);
    return active ? opening : undefined;
  }

  deactivate(): void {
    this.#inactiveBelow = this.#stack.length;
  }
}

/** The link that a `]` ends. */
function linkAt(
  text: string,
  close: number,
  opening: Opening | undefined,
  isDefined: (label: string) => boolean,
): InlineLink | undefined {
  if (opening === undefined) return undefined;
  const { at: start, image } = opening;
  const inner = { start: start + (image ? 2 : 1), end: close };
  const tail = inlineTailAt(text, close + 1);
  if (tail !== undefined)
    return { start, end: tail.end, image, inner, to: { destination: tail.destination } };
  const given = labelAt(text, close + 1);
  const full = given !== undefined && given.end > given.start;
  if (!full && (opening.bracketInside || inner.end - inner.start > 999)) return undefined;
  const range = full ? given : inner;
  const label = normalizeLabel(text.slice(range.start, range.end));
  if (label === "" || !isDefined(label)) return undefined;
  return { start, end: given === undefined ? close + 1 : given.end + 1, image, inner, to: { label } };
}

/** Where the `]]` of a wikilink stands that begins with `[[`: on the same line, with no other `[[` before it. */
export function wikilinkClose(text: string, at: number, find: FindMark): number | undefined {
  if (!text.startsWith("[[", at) || text[at + 2] === "[") return undefined;
  const end = find("]]", at + 2);
  if (end === undefined || end === at + 4) return undefined;
  const limit = Math.min(
    find("\n", at + 2) ?? Number.POSITIVE_INFINITY,
    find("[[", at + 2) ?? Number.POSITIVE_INFINITY,
  );
  if (limit <= end - 2) return undefined;
  // A name may end with a bracket of its own: [[b[1]]].
  return text[end] === "]" && text.slice(at + 2, end - 2).includes("[") ? end - 1 : end - 2;
}

/** What looks like a link in the description of an image is plain text. */
function dropInside(links: InlineLink[], start: number): void {
  while ((links.at(-1)?.start ?? -1) > start) links.pop();
}
