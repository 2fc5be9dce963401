import type { Definition } from "../markdown/definitions.ts";
import { findLinks, type InlineLink } from "../markdown/find-links.ts";
import { type MappedText, type Range, sourceRange } from "../markdown/mapped-text.ts";
import type { Link, LinkKind, Notation } from "./link.ts";
import {
  isExternalDestination,
  isExternalTarget,
  type ReadTarget,
  readDestination,
  readWikiTarget,
} from "./read-target.ts";

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
  const { text } = mapped;
  if ("label" in inline.to) {
    const definition = setting.definitions.get(inline.to.label);
    if (definition === undefined || !isInside(definition.raw)) return undefined;
    const { raw, range, pointy } = definition;
    return {
      ...common(inline, mapped, setting, "reference", inline.image ? "reference" : "reference"),
      ...destination(raw, pointy, (part) => ({
        start: range.start + part.start,
        end: range.start + part.end,
      })),
    };
  }
  const { start, end, pointy } = inline.to.destination;
  const raw = text.slice(start, end);
  if (!isInside(raw)) return undefined;
  return {
    ...common(inline, mapped, setting, "inline", inline.image ? "embed" : "markdown"),
    ...destination(raw, pointy, (part) =>
      sourceRange(mapped, { start: start + part.start, end: start + part.end }),
    ),
  };
}

function isInside(raw: string): boolean {
  return raw !== "" && !isExternalDestination(raw);
}

function common(
  { start, end, image, inner }: InlineLink,
  mapped: MappedText,
  { notation, lineOf, kind, key }: LinkSetting,
  syntax: Link["syntax"],
  ownKind: LinkKind,
) {
  const range = sourceRange(mapped, { start, end });
  const text = mapped.text.slice(inner.start, inner.end);
  return {
    kind: kind ?? ownKind,
    syntax,
    notation,
    image,
    range,
    line: lineOf(range.start),
    text: text.replace(/\s+/g, " ").trim(),
    ...(key !== undefined && { key }),
  };
}

function destination(raw: string, pointy: boolean, toSource: (part: Range) => Range) {
  const { pathLength, ...target } = readDestination(raw);
  return {
    ...target,
    ...ranges(raw, 0, pathLength, toSource),
    pointy,
    percentEncoded: /%[0-9a-f]{2}/i.test(raw),
    escaped: /[\\&]/.test(raw) && raw !== target.path,
  };
}

function ranges(raw: string, start: number, pathLength: number, toSource: (part: Range) => Range) {
  return {
    raw,
    target: toSource({ start, end: start + raw.length }),
    pathRange: toSource({ start, end: start + pathLength }),
  };
}

function wikilink(inline: InlineLink, mapped: MappedText, setting: LinkSetting): Link | undefined {
  const content = mapped.text.slice(inline.inner.start, inline.inner.end);
  const pipe = content.indexOf("|");
  const escaped = content[pipe - 1] === "\\";
  const whole = pipe < 0 ? content : content.slice(0, escaped ? pipe - 1 : pipe);
  const raw = whole.trim();
  if (raw === "" || isExternalTarget(raw)) return undefined;
  const { pathLength, ...target }: ReadTarget = readWikiTarget(raw);
  const alias = pipe < 0 ? "" : content.slice(pipe + 1).trim();
  const start = inline.inner.start + whole.indexOf(raw);
  return {
    ...common(inline, mapped, setting, "wikilink", inline.image ? "embed" : "wikilink"),
    ...target,
    ...ranges(raw, start, pathLength, (part) => sourceRange(mapped, part)),
    text: alias === "" ? raw : alias,
    ...(alias !== "" && { alias }),
    pointy: false,
    percentEncoded: false,
    escaped,
  };
}
