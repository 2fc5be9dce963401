import type { Range } from "../markdown/mapped-text.ts";

/** What a link is to a reader. Images are embeds, whatever their syntax. */
export type LinkKind = "wikilink" | "embed" | "markdown" | "reference" | "frontmatter" | "canvas";

/** How a link is written: `[[x]]`, `[a](x)`, `[a][b]` with a definition, or the `file` of a canvas. */
export type LinkSyntax = "wikilink" | "inline" | "reference" | "file";

/** What spells the characters around a link: Markdown, or a string of YAML or JSON. */
export type Notation = "markdown" | "yaml-plain" | "yaml-single" | "yaml-double" | "json";

/** A link as it stands in a file. All ranges are UTF-16 units of the file's text. */
export interface Link {
  readonly kind: LinkKind;
  readonly syntax: LinkSyntax;
  readonly notation: Notation;
  /** Whether it begins with `!`. */
  readonly image: boolean;
  /** The whole link. */
  readonly range: Range;
  /** Line of the file on which it begins; from 1. */
  readonly line: number;
  /** What a reader sees: the alias or label as written, else the target. */
  readonly text: string;
  /** The target as written, fragment included; for a reference, of its definition. */
  readonly raw: string;
  /** Where `raw` stands. */
  readonly target: Range;
  /** Where its path stands, the fragment left out; empty for a link to the note itself. */
  readonly pathRange: Range;
  /** The path that is meant, decoded: without extension, in part, or relative as it is. Empty for the note itself. */
  readonly path: string;
  readonly heading: string | undefined;
  /** A block's id, without `^`. */
  readonly block: string | undefined;
  /** A wikilink's alias. */
  readonly alias: string | undefined;
  /** Whether the destination stands in angle brackets. */
  readonly pointy: boolean;
  readonly percentEncoded: boolean;
  /** Whether a backslash or a character reference stands in the target, or before the pipe. */
  readonly escaped: boolean;
  /** In frontmatter: the key, dots between nested ones. In a canvas: the node's id. */
  readonly key: string | undefined;
}
