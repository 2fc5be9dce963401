import type { Json } from "../json.ts";
import { isJsonObject } from "../json.ts";
import { type MappedText, type Range, sourceRange } from "../markdown/mapped-text.ts";
import { readBlocks } from "../markdown/read-blocks.ts";
import { jsonStrings } from "./json-strings.ts";
import { lineCounter } from "./line-counter.ts";
import type { Link } from "./link.ts";
import { readFragment } from "./read-target.ts";
import { textLinks } from "./text-links.ts";

/** The links of a canvas; none where its JSON is broken, with the reason. */
export interface CanvasLinks {
  readonly links: readonly Link[];
  readonly problem: string | undefined;
}

/** The links of a `.canvas` file: its file nodes, and the links in its text nodes. Source: JSON Canvas 1.0. */
export function canvasLinks(text: string): CanvasLinks {
  const parsed = parse(text);
  if ("problem" in parsed) return { links: [], problem: parsed.problem };
  const nodes = isJsonObject(parsed.value) ? parsed.value.nodes : undefined;
  if (nodes !== undefined && !Array.isArray(nodes)) return { links: [], problem: "nodes is no list" };
  const lineOf = lineCounter(text);
  const links: Link[] = [];
  for (const { index, name, mapped } of jsonStrings(text)) {
    const node: unknown = nodes?.[index];
    if (!isNode(node)) continue;
    const key = typeof node.id === "string" ? node.id : String(index);
    if (name === "file" && node.type === "file") links.push(fileLink(mapped, node.subpath, key, lineOf));
    if (name === "text" && node.type === "text") links.push(...nodeTextLinks(mapped, key, lineOf));
  }
  return { links, problem: undefined };
}

function parse(text: string): { readonly value: Json } | { readonly problem: string } {
  // Obsidian makes new canvases empty.
  if (text.trim() === "") return { value: {} };
  try {
    return { value: JSON.parse(text.replace(/^\ufeff/, "")) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function isNode(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fileLink(mapped: MappedText, subpath: unknown, key: string, lineOf: (at: number) => number): Link {
  const range = sourceRange(mapped, { start: 0, end: mapped.text.length });
  const { heading, block } = readFragment(typeof subpath === "string" ? subpath.replace(/^#/, "") : "");
  return {
    kind: "canvas",
    syntax: "file",
    notation: "json",
    image: false,
    range,
    line: lineOf(range.start),
    text: mapped.text,
    raw: mapped.text,
    target: range,
    pathRange: range,
    path: mapped.text,
    heading,
    block,
    alias: undefined,
    pointy: false,
    percentEncoded: false,
    escaped: false,
    key,
  };
}

/** A text node is Markdown in a JSON string: its links stand in the Markdown, and from there in the file. */
function nodeTextLinks(mapped: MappedText, key: string, lineOf: (at: number) => number): Link[] {
  const { texts, definitions } = readBlocks(mapped.text);
  const setting = { definitions, notation: "json", lineOf: () => 1, kind: "canvas", key } as const;
  const toFile = (range: Range) => sourceRange(mapped, range);
  const found = texts.flatMap((part) => textLinks(part, setting));
  return found.map((link) => {
    const range = toFile(link.range);
    return {
      ...link,
      range,
      line: lineOf(range.start),
      target: toFile(link.target),
      pathRange: toFile(link.pathRange),
    };
  });
}
