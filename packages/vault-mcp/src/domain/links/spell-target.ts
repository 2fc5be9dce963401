import type { Link, Notation } from "./link.ts";

/** A link's path as it is spelled where the link stands, in its style; undefined where that cannot be said there. */
export function spellPath(link: Link, path: string): string | undefined {
  switch (link.syntax) {
    case "file":
      return spellIn(link.notation, path);
    case "wikilink":
      return isWikiPath(path) ? spellIn(link.notation, path) : undefined;
    default:
      return spellIn(link.notation, encodeDestination(path, link));
  }
}

/** Text as the string around it spells it; undefined where a plain text of YAML would end or change. */
export function spellIn(notation: Notation, text: string): string | undefined {
  switch (notation) {
    case "json":
    case "yaml-double":
      return JSON.stringify(text).slice(1, -1);
    case "yaml-single":
      return text.replaceAll("'", "''");
    case "yaml-plain":
      return /:(?:\s|$)|\s#/.test(text) ? undefined : text;
    default:
      return text;
  }
}

/** Nothing in a wikilink can be encoded. */
function isWikiPath(path: string): boolean {
  return path === path.trim() && !/[|#\n\r]|\[\[|\]\]|\\$/.test(path);
}

/** What must not stand bare in any destination: it would end it, begin a fragment, or be read as code, HTML or math. */
const unsafe = /[\p{Cc}%#`<>\\|$]|&(?=#?\w+;)/gu;

/** A path as a destination in the style of an old one: pointy, with backslashes, or percent-encoded. */
export function encodeDestination(
  path: string,
  { raw, pointy, escaped }: Pick<Link, "raw" | "pointy" | "escaped">,
): string {
  let encoded = path.replace(unsafe, percent);
  // A colon after the first name would make it an address.
  if (/^[a-z][a-z0-9+.-]*:/i.test(encoded)) encoded = encoded.replace(":", "%3A");
  if (/%[89a-f][0-9a-f]/i.test(raw)) encoded = encoded.replace(/[^\p{ASCII}]/gu, percent);
  if (pointy) return encoded;
  encoded = encoded.replace(/[ [\]]/g, percent);
  if (escaped && /\\[()]/.test(raw)) return encoded.replace(/[()]/g, "\\$&");
  return isBalanced(encoded) ? encoded : encoded.replace(/[()]/g, percent);
}

function percent(char: string): string {
  // encodeURIComponent leaves parentheses, and throws on half a character.
  if (char === "(" || char === ")") return char === "(" ? "%28" : "%29";
  return /[\ud800-\udfff]/u.test(char) ? char : encodeURIComponent(char);
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === "(") depth += 1;
    else if (char === ")") depth -= 1;
    if (depth < 0 || depth > 32) return false;
  }
  return depth === 0;
}
