import { attribute } from "./html-block.ts";
import type { FindMark } from "./mark-finder.ts";

const tagName = /<[a-z][a-z0-9-]*/iy;
const attributes = new RegExp(attribute, "iy");
const tagEnd = /[ \t\n]*\/?>/y;
const closeTag = /<\/[a-z][a-z0-9-]*[ \t\n]*>/iy;
const uri = /<[a-z][a-z0-9+.-]{1,31}:[^<>\p{Cc} ]*>/iuy;
const email =
  /<[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*>/iy;

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** Where the tag, comment or autolink ends that begins at a `<`. Source: CommonMark 0.31, Raw HTML and Autolinks. */
export function angleEnd(text: string, at: number, find: FindMark): number | undefined {
  switch (text[at + 1]) {
    case "!":
      return declarationEnd(text, at, find);
    case "?":
      return find("?>", at + 2);
    case "/":
      return endOf(closeTag, text, at);
    default:
      return openTagEnd(text, at) ?? endOf(uri, text, at) ?? endOf(email, text, at);
  }
}

function declarationEnd(text: string, at: number, find: FindMark): number | undefined {
  if (text.startsWith("<!-->", at)) return at + 5;
  if (text.startsWith("<!--->", at)) return at + 6;
  if (text.startsWith("<!--", at)) return find("-->", at + 4);
  if (text.startsWith("<![CDATA[", at)) return find("]]>", at + 9);
  return /[a-z]/i.test(text.charAt(at + 2)) ? find(">", at + 3) : undefined;
}

function openTagEnd(text: string, at: number): number | undefined {
  let end = endOf(tagName, text, at);
  if (end === undefined) return undefined;
  for (let next: number | undefined = end; next !== undefined; next = endOf(attributes, text, end))
    end = next;
  return endOf(tagEnd, text, end);
}
