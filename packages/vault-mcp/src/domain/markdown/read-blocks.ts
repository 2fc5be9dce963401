import { type Line, splitLines } from "../note/text-lines.ts";
import {
  type Container,
  continueContainer,
  takeFootnoteLabel,
  takeListMarker,
  takeQuoteMark,
} from "./containers.ts";
import type { Definition } from "./definitions.ts";
import { htmlBlockAt } from "./html-block.ts";
import { type Fence, fenceAt, headingMarks, isClosingFence, isRule, isUnderline } from "./leaf-lines.ts";
import { LineCursor } from "./line-cursor.ts";
import type { MappedText, Range } from "./mapped-text.ts";
import { delimiterColumns, splitRow } from "./table-row.ts";
import { TextCollector } from "./text-collector.ts";

/** What a line of Markdown is as a block: only in `text` do headings, tags and links count. */
export type LineKind = "text" | "blank" | "code" | "html" | "comment" | "math";

/** What a text's blocks are. */
export interface Blocks {
  /** The texts in which links count (paragraphs, headings, cells of tables), in order. */
  readonly texts: readonly MappedText[];
  /** What the labels of reference links stand for, by normalized label. */
  readonly definitions: ReadonlyMap<string, Definition>;
  /** The kind of each line of the body. */
  readonly kinds: readonly LineKind[];
}

/**
 * Reads the blocks of some lines of a text, such as a note's body, by CommonMark's rules with GFM's tables and footnotes and with
 * Obsidian's blocks of `$$` math and `%%` comments. Code and HTML are left out. In time linear to the text.
 */
export function readBlocks(text: string, lines: readonly Line[] = splitLines(text)): Blocks {
  const reader = new BlockReader(text);
  const kinds = lines.map((line) => reader.readLine(line));
  return { ...reader.finish(), kinds };
}

/** A line without its indent; one that is indented far is no head of a table. */
interface ParagraphLine extends Range {
  readonly indented: boolean;
}

type Leaf =
  | { readonly kind: "none" | "code" | "table" }
  | { readonly kind: "paragraph"; readonly lines: ParagraphLine[] }
  | ({ readonly kind: "fence" } & Fence)
  | { readonly kind: "html" | "comment"; readonly end: RegExp | "blank" }
  | { readonly kind: "marked"; readonly mark: string };

/** More containers in one another are text, so that a page of marks takes no long time. */
const deepest = 100;

const none: Leaf = { kind: "none" };
const starters = /[-#>+*_=~`<|:$%[0-9]/;

class BlockReader {
  readonly #text: string;
  readonly #texts: TextCollector;
  /** Containers that are open; while a line is read, the first `#matched` of them go on in it. */
  readonly #stack: Container[] = [];
  #matched = 0;
  #leaf: Leaf = none;
  /** Where each mark of a block occurs last, so that one that is never closed opens none. */
  readonly #lastMarks: ReadonlyMap<string, number>;

  constructor(text: string) {
    this.#text = text;
    this.#texts = new TextCollector(text);
    this.#lastMarks = new Map(["$$", "%%"].map((mark) => [mark, text.lastIndexOf(mark)]));
  }

  finish(): Omit<Blocks, "kinds"> {
    this.#close();
    return { texts: this.#texts.texts, definitions: this.#texts.definitions };
  }

  readLine({ start, end }: Line): LineKind {
    const cursor = new LineCursor(this.#text, start, end);
    const kind = cursor.blank ? "blank" : "text";
    this.#matched = 0;
    for (const container of this.#stack) {
      if (!continueContainer(container, cursor)) break;
      this.#matched += 1;
    }
    const leaf = this.#leaf;
    if (this.#continues && this.#continueLeaf(cursor)) return kindOf(leaf, kind);
    while (!cursor.blank) {
      const started = this.#start(cursor);
      if (started === undefined) break;
      if (started !== "container") return started;
    }
    this.#addText(cursor);
    return kind;
  }

  /** Whether all that was open goes on in this line. */
  get #continues(): boolean {
    return this.#matched === this.#stack.length;
  }

  get #paragraphGoingOn(): { readonly lines: ParagraphLine[] } | undefined {
    return this.#leaf.kind === "paragraph" && this.#continues ? this.#leaf : undefined;
  }

  /** Gives the line to a leaf that takes lines as they are; false where it is another block's. */
  #continueLeaf(cursor: LineCursor): boolean {
    const leaf = this.#leaf;
    const { blank, indent, rest } = cursor;
    switch (leaf.kind) {
      case "fence":
        if (indent < 4 && isClosingFence(rest, leaf)) this.#leaf = none;
        return true;
      case "code":
        if (!blank && indent < 4) this.#leaf = none;
        return blank || indent >= 4;
      case "html":
      case "comment":
        if (endsOnLine(leaf.end, rest) || (leaf.end === "blank" && blank)) this.#leaf = none;
        return true;
      case "marked":
        return this.#continueMarked(cursor, leaf.mark);
      default:
        return false;
    }
  }

  /** The line may end the block, and go on behind the mark. */
  #continueMarked(cursor: LineCursor, mark: string): boolean {
    const at = cursor.rest.indexOf(mark);
    if (at < 0) return true;
    this.#leaf = none;
    cursor.skipIndent();
    cursor.skip(at + mark.length);
    this.#addText(cursor);
    return true;
  }

  /** Begins the block that the line shows: `container` where the line goes on inside, else the line's kind. */
  #start(cursor: LineCursor): "container" | LineKind | undefined {
    const inParagraph = this.#leaf.kind === "paragraph";
    if (cursor.indent >= 4) {
      if (inParagraph) return undefined;
      this.#startLeaf({ kind: "code" });
      return "code";
    }
    if (!starters.test(cursor.char)) return undefined;
    const started = this.#startLeafAt(cursor) ?? this.#startContainerAt(cursor);
    const paragraph = this.#paragraphGoingOn;
    return started ?? (paragraph === undefined ? undefined : this.#startTable(paragraph.lines, cursor.rest));
  }

  #startContainerAt(cursor: LineCursor): "container" | undefined {
    if (this.#matched >= deepest) return undefined;
    const container = takeContainer(cursor, this.#paragraphGoingOn !== undefined);
    if (container === undefined) return undefined;
    this.#open();
    this.#stack.push(container);
    this.#matched = this.#stack.length;
    return "container";
  }

  #startLeafAt(cursor: LineCursor): LineKind | undefined {
    const { rest } = cursor;
    const marks = headingMarks(rest);
    if (marks !== undefined) return this.#addHeading(cursor, marks);
    const opaque = this.#opaqueAt(cursor);
    if (opaque !== undefined) {
      const ended =
        opaque.kind === "html" || opaque.kind === "comment" ? endsOnLine(opaque.end, rest) : false;
      this.#startLeaf(ended ? none : opaque);
      return kindOf(opaque, "text");
    }
    const paragraph = this.#paragraphGoingOn;
    if (paragraph !== undefined && isUnderline(rest) && this.#underline(paragraph.lines)) return "text";
    if (!isRule(rest)) return undefined;
    this.#startLeaf(none);
    return "text";
  }

  /** The block that a line opens whose lines are no text. */
  #opaqueAt(cursor: LineCursor): Leaf | undefined {
    const { rest } = cursor;
    const fence = fenceAt(rest);
    if (fence !== undefined) return { kind: "fence", ...fence };
    const html = rest.startsWith("<") ? htmlBlockAt(rest, this.#leaf.kind === "paragraph") : undefined;
    if (html !== undefined) return { kind: rest.startsWith("<!--") ? "comment" : "html", end: html.end };
    const mark = rest.slice(0, 2);
    return this.#opensMarked(cursor, mark) ? { kind: "marked", mark } : undefined;
  }

  #opensMarked({ rest, end }: LineCursor, mark: string): boolean {
    const last = this.#lastMarks.get(mark);
    return last !== undefined && last >= end && !rest.includes(mark, 2);
  }

  /** Makes the paragraph a heading that the line underlines; false where it was definitions alone, and goes on. */
  #underline(lines: readonly ParagraphLine[]): boolean {
    const isHeading = this.#texts.addParagraph(lines);
    this.#leaf = isHeading ? none : { kind: "paragraph", lines: [] };
    return isHeading;
  }

  /** A row of dashes that makes the paragraph's last line the head of a table. */
  #startTable(lines: readonly ParagraphLine[], rest: string): "text" | undefined {
    const last = lines.at(-1);
    const columns = last === undefined || last.indented ? undefined : delimiterColumns(rest);
    if (last === undefined || columns === undefined) return undefined;
    if (splitRow(this.#text.slice(last.start, last.end)).length !== columns) return undefined;
    this.#texts.addParagraph(lines.slice(0, -1));
    this.#texts.addRow(last);
    this.#leaf = { kind: "table" };
    return "text";
  }

  #startLeaf(leaf: Leaf): void {
    this.#open();
    this.#leaf = leaf;
  }

  /** Closes what does not go on, and the leaf, so that a block can begin. */
  #open(): void {
    this.#close();
    this.#stack.length = this.#matched;
    const parent = this.#stack.at(-1);
    if (parent?.kind === "item") parent.empty = false;
  }

  #close(): void {
    if (this.#leaf.kind === "paragraph") this.#texts.addParagraph(this.#leaf.lines);
    this.#leaf = none;
  }

  /** What is left of a line: text of the paragraph that is open, also where its containers do not go on. */
  #addText(cursor: LineCursor): void {
    const leaf = this.#leaf;
    const range = { start: cursor.next, end: cursor.end, indented: cursor.indent >= 4 };
    if (leaf.kind === "paragraph" && !cursor.blank) {
      leaf.lines.push(range);
    } else if (leaf.kind === "table" && !cursor.blank && this.#continues) {
      this.#texts.addRow(range);
    } else if (cursor.blank) {
      this.#close();
      this.#stack.length = this.#matched;
    } else {
      this.#open();
      this.#leaf = { kind: "paragraph", lines: [range] };
    }
  }

  #addHeading(cursor: LineCursor, marks: number): "text" {
    this.#open();
    const start = cursor.next + marks;
    const text = this.#text.slice(start, cursor.end).replace(/(^|[ \t])#+[ \t]*$/, "$1");
    this.#texts.addLines([{ start, end: start + text.length }]);
    return "text";
  }
}

/** The kind of a line in a block whose lines are no text; of another, `otherwise`. */
function kindOf(leaf: Leaf, otherwise: LineKind): LineKind {
  switch (leaf.kind) {
    case "fence":
      return "code";
    case "code":
      return otherwise === "blank" ? "blank" : "code";
    case "html":
    case "comment":
      return leaf.kind;
    case "marked":
      return leaf.mark === "$$" ? "math" : "comment";
    default:
      return otherwise;
  }
}

function endsOnLine(end: RegExp | "blank", rest: string): boolean {
  return end !== "blank" && end.test(rest);
}

function takeContainer(cursor: LineCursor, paragraphGoesOn: boolean): Container | undefined {
  if (takeQuoteMark(cursor)) return { kind: "quote" };
  if (takeFootnoteLabel(cursor)) return { kind: "footnote" };
  return takeListMarker(cursor, paragraphGoesOn);
}
