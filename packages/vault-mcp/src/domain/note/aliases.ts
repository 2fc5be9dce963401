import type { JsonObject } from "../json.ts";

/** The other names that a note's frontmatter gives it: `aliases` or `alias`, a list, or a text with commas. */
export function aliasesOf(frontmatter: JsonObject): string[] {
  const given = [frontmatter.aliases, frontmatter.alias].flatMap((value) =>
    typeof value === "string" ? value.split(",") : Array.isArray(value) ? value : [],
  );
  const names = given.filter((one) => typeof one === "string" || typeof one === "number").map(String);
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ""))];
}
