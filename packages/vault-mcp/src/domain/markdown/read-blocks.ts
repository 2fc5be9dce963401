import { type Line, splitLines } from "../text-lines.ts";
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

/** The texts in which links count (paragraphs, headings, cells of tables), in order, and what labels stand for. */
export interface Blocks {
  readonly texts: readonly MappedText[];
  readonly definitions: ReadonlyMap<string, Definition>;
}

/**
 * Reads the blocks of a note's body, from `bodyStart` on, by CommonMark's rules with GFM's tables and footnotes and with
 * Obsidian's blocks of `$$` math and `%%` comments. Code and HTML are left out. In time linear to the text.
 */
export function readBlocks(text: string, bodyStart = 0): Blocks {
  const reader = new BlockReader(text);
  for (const line of splitLines(text, bodyStart)) reader.readLine(line);
  return reader.finish();
}

/** A line without its indent; one that is indented far is no head of a table. */
interface ParagraphLine extends Range {
  readonly indented: boolean;
}

type Leaf =
  | { readonly kind: "none" | "code" | "table" }
  | { readonly kind: "paragraph"; readonly lines: ParagraphLine[] }
  | ({ readonly kind: "fence" } & Fence)
  | { readonly kind: "html"; readonly end: RegExp | "blank" }
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

  finish(): Blocks {
    this.#close();
    return { texts: this.#texts.texts, definitions: this.#texts.definitions };
  }

  readLine({ start, end }: Line): void {
    const cursor = new LineCursor(this.#text, start, end);
    this.#matched = 0;
    for (const container of this.#stack) {
      if (!continueContainer(container, cursor)) break;
      this.#matched += 1;
    }
    if (this.#continues && this.#continueLeaf(cursor)) return;
    while (!cursor.blank) {
      const started = this.#start(cursor);
      if (started === "leaf") return;
      if (started === undefined) break;
    }
    this.#addText(cursor);
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
        if (leaf.end === "blank" ? blank : leaf.end.test(rest)) this.#leaf = none;
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

  /** Begins the block that the line shows: `container` where the line goes on inside, `leaf` where it is all used. */
  #start(cursor: LineCursor): "container" | "leaf" | undefined {
    const inParagraph = this.#leaf.kind === "paragraph";
    if (cursor.indent >= 4) {
      if (inParagraph) return undefined;
      return this.#startLeaf({ kind: "code" });
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

  #startLeafAt(cursor: LineCursor): "leaf" | undefined {
    const { rest } = cursor;
    const marks = headingMarks(rest);
    if (marks !== undefined) return this.#addHeading(cursor, marks);
    const fence = fenceAt(rest);
    if (fence !== undefined) return this.#startLeaf({ kind: "fence", ...fence });
    const html = rest.startsWith("<") ? htmlBlockAt(rest, this.#leaf.kind === "paragraph") : undefined;
    if (html !== undefined) {
      return this.#startLeaf(
        html.end !== "blank" && html.end.test(rest) ? none : { kind: "html", end: html.end },
      );
    }
    const mark = rest.slice(0, 2);
    if (this.#opensMarked(cursor, mark)) return this.#startLeaf({ kind: "marked", mark });
    const paragraph = this.#paragraphGoingOn;
    if (paragraph !== undefined && isUnderline(rest) && this.#underline(paragraph.lines)) return "leaf";
    return isRule(rest) ? this.#startLeaf(none) : undefined;
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
  #startTable(lines: readonly ParagraphLine[], rest: string): "leaf" | undefined {
    const last = lines.at(-1);
    const columns = last === undefined || last.indented ? undefined : delimiterColumns(rest);
    if (last === undefined || columns === undefined) return undefined;
    if (splitRow(this.#text.slice(last.start, last.end)).length !== columns) return undefined;
    this.#texts.addParagraph(lines.slice(0, -1));
    this.#texts.addRow(last);
    this.#leaf = { kind: "table" };
    return "leaf";
  }

  #startLeaf(leaf: Leaf): "leaf" {
    this.#open();
    this.#leaf = leaf;
    return "leaf";
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

  #addHeading(cursor: LineCursor, marks: number): "leaf" {
    this.#open();
    const start = cursor.next + marks;
    const text = this.#text.slice(start, cursor.end).replace(/(^|[ \t])#+[ \t]*$/, "$1");
    this.#texts.addLines([{ start, end: start + text.length }]);
    return "leaf";
  }
}

function takeContainer(cursor: LineCursor, paragraphGoesOn: boolean): Container | undefined {
  if (takeQuoteMark(cursor)) return { kind: "quote" };
  if (takeFootnoteLabel(cursor)) return { kind: "footnote" };
  return takeListMarker(cursor, paragraphGoesOn);
}
