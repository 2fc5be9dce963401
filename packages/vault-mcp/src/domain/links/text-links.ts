import type { Definition } from "../markdown/definitions.ts";
import { findLinks, type InlineLink } from "../markdown/find-links.ts";
import { type MappedText, type Range, sourceRange } from "../markdown/mapped-text.ts";
import { unescapeMarkdown } from "../markdown/unescape.ts";
import type { Link, LinkKind, LinkSyntax, Notation } from "./link.ts";
import { isExternalDestination, isExternalTarget, readDestination, readWikiTarget } from "./read-target.ts";

/** What the links of a text are seen as. */
export interface LinkSetting {
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly notation: Notation;
  readonly lineOf: (at: number) => number;
  /** The kind, where it is not by the syntax. */
  readonly kind?: LinkKind;
  readonly key?: string;
}

/** The links into the vault in a paragraph's text, as they stand in its source. */
export function textLinks(mapped: MappedText, setting: LinkSetting): Link[] {
  const found = findLinks(mapped.text, (label) => setting.definitions.has(label));
  return found.map((inline) => toLink(inline, mapped, setting)).filter((link) => link !== undefined);
}

function toLink(inline: InlineLink, mapped: MappedText, setting: LinkSetting): Link | undefined {
  if (inline.to === "wikilink") return wikilink(inline, mapped, setting);
  if ("destination" in inline.to) {
    const { destination } = inline.to;
    const raw = mapped.text.slice(destination.start, destination.end);
    const kind = inline.image ? "embed" : "markdown";
    const toSource = (start: number, end: number) =>
      sourceRange(mapped, { start: destination.start + start, end: destination.start + end });
    return markdownLink(inline, mapped, setting, {
      syntax: "inline",
      kind,
      raw,
      pointy: destination.pointy,
      toSource,
    });
  }
  const definition = setting.definitions.get(inline.to.label);
  if (definition === undefined) return undefined;
  const { raw, range, pointy } = definition;
  const toSource = (start: number, end: number) =>
    end === raw.length
      ? { start: range.start + start, end: range.end }
      : { start: range.start + start, end: range.start + end };
  return markdownLink(inline, mapped, setting, {
    syntax: "reference",
    kind: "reference",
    raw,
    pointy,
    toSource,
  });
}

interface Written {
  readonly syntax: LinkSyntax;
  readonly kind: LinkKind;
  readonly raw: string;
  readonly pointy: boolean;
  /** Where a part of `raw` stands in the source. */
  readonly toSource: (start: number, end: number) => Range;
}

function markdownLink(
  inline: InlineLink,
  mapped: MappedText,
  setting: LinkSetting,
  { syntax, kind, raw, pointy, toSource }: Written,
): Link | undefined {
  if (raw === "" || isExternalDestination(raw)) return undefined;
  const range = sourceRange(mapped, inline);
  const { path, heading, block, pathLength } = readDestination(raw);
  return {
    kind: setting.kind ?? kind,
    syntax,
    notation: setting.notation,
    image: inline.image,
    range,
    line: setting.lineOf(range.start),
    text: mapped.text.slice(inline.inner.start, inline.inner.end).replace(/\s+/g, " ").trim(),
    raw,
    target: toSource(0, raw.length),
    pathRange: toSource(0, pathLength),
    path,
    heading,
    block,
    alias: undefined,
    pointy,
    percentEncoded: /%[0-9a-f]{2}/i.test(raw),
    escaped: /[\\&]/.test(raw) && unescapeMarkdown(raw) !== raw,
    key: setting.key,
  };
}

function wikilink(inline: InlineLink, mapped: MappedText, setting: LinkSetting): Link | undefined {
  const content = mapped.text.slice(inline.inner.start, inline.inner.end);
  const pipe = content.indexOf("|");
  const escaped = content[pipe - 1] === "\\";
  const whole = pipe < 0 ? content : content.slice(0, escaped ? pipe - 1 : pipe);
  const raw = whole.trim();
  if (raw === "" || isExternalTarget(raw)) return undefined;
  const { path, heading, block, pathLength } = readWikiTarget(raw);
  const alias = pipe < 0 ? "" : content.slice(pipe + 1).trim();
  const range = sourceRange(mapped, inline);
  const start = inline.inner.start + whole.indexOf(raw);
  return {
    kind: setting.kind ?? (inline.image ? "embed" : "wikilink"),
    syntax: "wikilink",
    notation: setting.notation,
    image: inline.image,
    range,
    line: setting.lineOf(range.start),
    text: alias === "" ? raw : alias,
    raw,
    target: sourceRange(mapped, { start, end: start + raw.length }),
    pathRange: sourceRange(mapped, { start, end: start + pathLength }),
    path,
    heading,
    block,
    alias: alias === "" ? undefined : alias,
    pointy: false,
    percentEncoded: false,
    escaped,
    key: setting.key,
  };
}
