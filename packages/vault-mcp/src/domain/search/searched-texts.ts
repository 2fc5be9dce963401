import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { nameOf } from "../note/note.ts";

/** What of a note is searched besides its body, by how much it counts. */
export interface SearchedTexts {
  /** The title, other names, and the file's name where it differs. */
  readonly title: string;
  readonly headings: string;
  readonly tags: string;
  /** The values of its frontmatter, which count as the body does. */
  readonly properties: string;
}

/** Keys whose values are searched as title, names or tags already. */
const ownKeys = ["title", "aliases", "alias", "tags", "tag"];

/** More of a frontmatter is not searched, UTF-16 units. */
const mostOfProperties = 100_000;

export function searchedTexts(
  path: string,
  note: {
    readonly title: string;
    readonly aliases: readonly string[];
    readonly headings: readonly { readonly text: string }[];
    readonly tags: readonly string[];
    readonly frontmatter: JsonObject;
  },
): SearchedTexts {
  const { title, aliases, headings, tags, frontmatter } = note;
  const fileName = nameOf(path).replace(/\.[^.]*$/, "");
  const others = Object.entries(frontmatter).filter(([key]) => !ownKeys.includes(key));
  return {
    title: [...new Set([title, ...aliases, fileName])].join("\n"),
    headings: headings.map(({ text }) => text).join("\n"),
    tags: tags.join("\n"),
    properties: others
      .flatMap(([, value]) => textsOf(value))
      .join("\n")
      .slice(0, mostOfProperties)
      .toWellFormed(),
  };
}

function textsOf(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (isJsonObject(value)) return Object.values(value).flatMap(textsOf);
  return value === null || typeof value === "boolean" ? [] : [String(value)];
}
