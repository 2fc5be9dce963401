import { isMap, isScalar, isSeq, type Pair, parseDocument } from "yaml";
import type { ReadYamlLayout, YamlEntry, YamlLayout } from "../../domain/writing/yaml-layout.ts";

/** Reads where a block's entries stand from the source positions of the `yaml` package. */
export const readYamlLayout: ReadYamlLayout = (yaml) => {
  const document = parseDocument(yaml, { keepSourceTokens: true, schema: "failsafe", logLevel: "silent" });
  const [error] = document.errors;
  if (error !== undefined) return { problem: firstLine(error.message) };
  const { contents } = document;
  if (contents === null || (isScalar(contents) && !/\S/.test(yaml.replace(/^\s*#.*$/gm, "")))) {
    return { entries: [], indent: 0 };
  }
  if (!isMap(contents)) return { problem: "the block is no mapping" };
  if (contents.flow === true) return { problem: "the block is one mapping in braces" };
  const entries: YamlEntry[] = [];
  for (const pair of contents.items) {
    const entry = readEntry(yaml, pair);
    if (entry === undefined)
      return { problem: "it has a key that is marked with a question mark or is no plain text" };
    entries.push(entry);
  }
  const [first] = entries;
  const indent = first === undefined ? 0 : (/^ */.exec(yaml.slice(first.start))?.[0].length ?? 0);
  return { entries, indent } satisfies YamlLayout;
};

function readEntry(yaml: string, { key, value, srcToken }: Pair): YamlEntry | undefined {
  if (!isScalar(key) || typeof key.value !== "string" || srcToken === undefined) return undefined;
  const colon = srcToken.sep?.find(({ type }) => type === "map-value-ind");
  const marked = srcToken.start.some(({ type }) => type === "explicit-key-ind");
  const keyAt = srcToken.key?.offset;
  if (marked || colon === undefined || keyAt === undefined) return undefined;
  const valueFrom = colon.offset + 1;
  const range = (value as { range?: readonly number[] | null } | null)?.range;
  const isEmpty = srcToken.value == null || range == null || range[0] === range[1];
  return {
    key: key.value,
    start: lineStart(yaml, keyAt),
    valueFrom,
    valueTo: isEmpty ? endOfMarks(valueFrom, srcToken.sep ?? []) : (range[1] ?? valueFrom),
    style: styleOf(value),
    itemIndent: isSeq(value) && range != null ? (range[0] ?? 0) - lineStart(yaml, range[0] ?? 0) : 0,
  };
}

/** The end of an anchor or tag that stands where there is no value. */
function endOfMarks(from: number, sep: readonly { type: string; offset: number; source: string }[]): number {
  const marks = sep.filter(({ type }) => type === "anchor" || type === "tag");
  return Math.max(from, ...marks.map(({ offset, source }) => offset + source.length));
}

function lineStart(yaml: string, place: number): number {
  return Math.max(yaml.lastIndexOf("\n", place - 1), yaml.lastIndexOf("\r", place - 1)) + 1;
}

function styleOf(value: unknown): YamlEntry["style"] {
  if (isSeq(value)) return value.flow === true ? "flow" : "list";
  if (isMap(value)) return value.flow === true ? "flow" : "mapping";
  const type = isScalar(value) ? value.type : undefined;
  if (type === "QUOTE_SINGLE") return "single";
  if (type === "QUOTE_DOUBLE") return "double";
  return type === "BLOCK_LITERAL" || type === "BLOCK_FOLDED" ? "text" : "plain";
}

function firstLine(text: string): string {
  return (text.split("\n", 1)[0] ?? "").replace(/ at line .*$/, "").slice(0, 150);
}
