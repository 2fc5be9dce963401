import { VaultError } from "../errors.ts";
import type { Json, JsonObject } from "../json.ts";
import { findFrontmatter, type ParseYaml, readFrontmatter } from "../note/frontmatter.ts";
import { lineAt } from "../note/text-lines.ts";
import { equalJson } from "./equal-json.ts";
import { type PrintStyle, printKey, printValue } from "./print-yaml.ts";
import { spliceEntry } from "./splice-entry.ts";
import type { ReadYamlLayout, YamlEntry, YamlLayout } from "./yaml-layout.ts";

export interface YamlTools {
  readonly parse: ParseYaml;
  readonly layout: ReadYamlLayout;
}

/** What to do with a note's frontmatter: keys at the top level, taken as they are (a dot is part of the name). */
export interface FrontmatterChange {
  readonly set: JsonObject;
  readonly remove: readonly string[];
}

/**
 * Changes the named keys of a note's frontmatter in place; everything else stays byte for byte. New keys come last;
 * a note without a block gets one; a block whose last entry goes, goes too, unless there is a comment in it.
 *
 * @param path names the note in errors.
 * @throws VaultError FRONTMATTER_BROKEN, FRONTMATTER_NOT_EDITABLE where the change would touch another key.
 */
export function editFrontmatter(
  path: string,
  text: string,
  change: FrontmatterChange,
  yaml: YamlTools,
): string {
  const before = readFrontmatter(text, yaml.parse);
  if (before.error !== undefined) {
    const { line, message } = before.error;
    throw new VaultError("FRONTMATTER_BROKEN", { path, line, reason: message, before: true });
  }
  let result = text;
  for (const [key, value] of Object.entries(change.set)) result = changeKey(path, result, key, value, yaml);
  for (const key of change.remove) result = changeKey(path, result, key, undefined, yaml);
  return result;
}

/** Sets one key, or removes it where `value` is undefined. */
function changeKey(
  path: string,
  text: string,
  key: string,
  value: Json | undefined,
  yaml: YamlTools,
): string {
  const { data, bodyStart } = readFrontmatter(text, yaml.parse);
  const own = ownKey(data, key);
  if (own === undefined ? value === undefined : value !== undefined && equalJson(data[own], value))
    return text;
  const wanted = Object.entries(data).filter(([name]) => name !== own);
  if (value !== undefined) wanted.push([own ?? key, value]);
  const expected: JsonObject = Object.fromEntries(wanted);
  const body = text.slice(bodyStart);
  for (const candidate of candidates(path, text, bodyStart, own ?? key, value, yaml)) {
    const after = readFrontmatter(candidate, yaml.parse);
    const isRight = after.error === undefined && equalJson(after.data, expected);
    if (isRight && isReadable(candidate, yaml) && candidate.slice(after.bodyStart) === body) return candidate;
  }
  const verb = value === undefined ? "removing" : "setting";
  throw new VaultError("FRONTMATTER_NOT_EDITABLE", {
    path,
    reason: `${verb} ${JSON.stringify(key)} in place would change another key or could not be read back`,
  });
}

/** Whether a second reader of YAML, stricter than ours, takes the block too; true where it is body or there is none. */
export function isReadable(text: string, yaml: YamlTools): boolean {
  const block = findFrontmatter(text);
  if (block === undefined || readFrontmatter(text, yaml.parse).bodyStart !== block.bodyStart) return true;
  return !("problem" in yaml.layout(block.yaml));
}

/** The texts that the change could give, the nicest first. */
function* candidates(
  path: string,
  text: string,
  bodyStart: number,
  key: string,
  value: Json | undefined,
  yaml: YamlTools,
): Generator<string> {
  const block = findFrontmatter(text);
  // What is no mapping is body, and so is a block that is not closed.
  if (block === undefined || block.bodyStart !== bodyStart) {
    if (value !== undefined) yield* newBlocks(text, key, value);
    return;
  }
  const layout = yaml.layout(block.yaml);
  if ("problem" in layout) throw new VaultError("FRONTMATTER_NOT_EDITABLE", { path, reason: layout.problem });
  const opening = lineAt(text, text.startsWith("\ufeff") ? 1 : 0);
  const ending = text.slice(opening.end, opening.next);
  const around = (changed: string) =>
    text.slice(0, opening.next) + changed + text.slice(opening.next + block.yaml.length);
  const entry = layout.entries.find((candidate) => candidate.key === key);
  if (value === undefined) {
    if (entry === undefined) return;
    const rest = spliceEntry(block.yaml, entry, undefined, ending);
    if (rest === "") yield text.slice(0, opening.start) + text.slice(bodyStart);
    yield around(rest);
    return;
  }
  for (const style of styles(layout, entry)) {
    const printed = printValue(value, style);
    if (entry !== undefined) yield around(spliceEntry(block.yaml, entry, printed, ending));
    else yield around(block.yaml + printEntry(key, value, style, ending));
  }
}

function* newBlocks(text: string, key: string, value: Json): Generator<string> {
  const start = text.startsWith("\ufeff") ? 1 : 0;
  const { end, next } = lineAt(text, start);
  const ending = text.slice(end, next) === "\r\n" ? "\r\n" : "\n";
  for (const style of styles({ entries: [], indent: 0 }, undefined)) {
    const block = `---${ending}${printEntry(key, value, style, ending)}---${ending}`;
    yield text.slice(0, start) + block + text.slice(start);
  }
}

/** A whole entry with its line ending. */
export function printEntry(key: string, value: Json, style: PrintStyle, ending: string): string {
  const { inline, lines } = printValue(value, style);
  const head = `${" ".repeat(style.indent)}${printKey(key)}:${inline === "" ? "" : ` ${inline}`}`;
  return [head, ...lines].map((line) => line + ending).join("");
}

/** The ways of writing a value at a place, the one that is most like what is there first. */
export function styles({ indent }: YamlLayout, entry: YamlEntry | undefined): PrintStyle[] {
  const quotes = entry?.style === "single" || entry?.style === "double" ? entry.style : undefined;
  const itemIndent = entry?.style === "list" ? entry.itemIndent : indent + 2;
  const nice: PrintStyle = { flow: entry?.style === "flow", quotes, indent, itemIndent, blockText: true };
  return [
    nice,
    { ...nice, blockText: false, quotes: undefined },
    { ...nice, flow: true, blockText: false, quotes: "double" },
  ];
}

function ownKey(data: JsonObject, key: string): string | undefined {
  if (Object.hasOwn(data, key)) return key;
  return Object.keys(data).find((name) => name.normalize("NFC") === key.normalize("NFC"));
}
