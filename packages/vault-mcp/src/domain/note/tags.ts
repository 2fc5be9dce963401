import { fold } from "../fold.ts";
import type { Json, JsonObject } from "../json.ts";
import { maskProse, type Prose } from "./prose.ts";

/** What may follow `#`: anything but spaces and punctuation, where `-`, `_` and `/` are none. Source: Obsidian help, Tags. */
const inlineTag = /(?<!\S)#([^\u2000-\u206f\u2e00-\u2e7f'!"#$%&()*+,.:;<=>?@^`{|}~[\]\\\s\ufffc]+)/g;

/** A tag in one form: without `#` and outer slashes; undefined for what is none, such as digits alone. */
function toTag(text: string): string | undefined {
  const tag = text
    .trim()
    .replace(/^#+/, "")
    .replace(/^\/+|\/+$/g, "")
    .normalize("NFC");
  return tag === "" || /^[\d/]+$/.test(tag) ? undefined : tag;
}

/** The tags in a body; code, comments, math, HTML, URLs and the targets of links have none. */
export function inlineTags(prose: Prose): string[] {
  if (!prose.text.includes("#")) return [];
  const found = [...maskProse(prose).matchAll(inlineTag)].map(([, name = ""]) => toTag(name));
  return unique(found);
}

/** The tags in frontmatter: `tags` or `tag`, a list or a text in which commas or spaces separate them. */
export function frontmatterTags(frontmatter: JsonObject): string[] {
  return unique([frontmatter.tags, frontmatter.tag].flatMap((value) => textsOf(value)).map(toTag));
}

function textsOf(value: Json | undefined): string[] {
  if (typeof value === "string") return value.split(/[\s,]+/);
  if (typeof value === "number") return [String(value)];
  if (!Array.isArray(value)) return [];
  return value.filter((item) => typeof item === "string" || typeof item === "number").map(String);
}

/** Each tag once, whatever its case, in its first spelling. */
export function unique(tags: readonly (string | undefined)[]): string[] {
  const seen = new Map<string, string>();
  for (const tag of tags) {
    if (tag !== undefined && !seen.has(fold(tag))) seen.set(fold(tag), tag);
  }
  return [...seen.values()];
}

/** Whether one of `tags` is the wanted tag or lies below it, `a` matches `a/b`; of `!a`, whether none is. */
export function hasTag(tags: readonly string[], wanted: string): boolean {
  const { tag: asked, without } = readWantedTag(wanted);
  const name = fold(asked);
  return tags.map(fold).some((tag) => tag === name || tag.startsWith(`${name}/`)) !== without;
}

/** A tag that is asked for, in the form in which tags are kept; `!a` asks for notes without it. */
export function readWantedTag(wanted: string): { readonly tag: string; readonly without: boolean } {
  const without = wanted.startsWith("!");
  const named = without ? wanted.slice(1) : wanted;
  return { tag: toTag(named) ?? named, without };
}
