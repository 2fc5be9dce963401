const blockTags =
  "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul";

const space = "[ \\t\\n]";
const value = `[^ \\t\\n"'=<>\`]+|'[^']*'|"[^"]*"`;
/** One attribute of a tag, with the space before it. */
export const attribute = `${space}+[a-z_:][a-z0-9_.:-]*(?:${space}*=${space}*(?:${value}))?`;
const openTag = `<[a-z][a-z0-9-]*(?:${attribute})*${space}*/?>`;
const closeTag = `</[a-z][a-z0-9-]*${space}*>`;

/** How a block of HTML goes on: until a line that has `end`, or until a blank line. */
export interface HtmlBlock {
  readonly end: RegExp | "blank";
}

const starts: readonly { readonly start: RegExp; readonly end: RegExp | "blank"; readonly alone?: true }[] = [
  { start: /^<(?:script|pre|textarea|style)(?:[ \t>]|$)/i, end: /<\/(?:script|pre|textarea|style)>/i },
  { start: /^<!--/, end: /-->/ },
  { start: /^<\?/, end: /\?>/ },
  { start: /^<![a-z]/i, end: />/ },
  { start: /^<!\[CDATA\[/, end: /\]\]>/ },
  { start: new RegExp(`^</?(?:${blockTags})(?:[ \\t]|/?>|$)`, "i"), end: "blank" },
  {
    start: new RegExp(`^(?:(?!<(?:script|pre|textarea|style)\\b)${openTag}|${closeTag})[ \\t]*$`, "i"),
    end: "blank",
    alone: true,
  },
];

/** The block of HTML that a line begins, seen without its indent; some begin none where a paragraph goes on. */
export function htmlBlockAt(line: string, inParagraph: boolean): HtmlBlock | undefined {
  return starts.find(({ start, alone }) => !(alone && inParagraph) && start.test(line));
}
