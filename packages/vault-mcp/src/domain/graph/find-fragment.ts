import { fold } from "../fold.ts";

/**
 * Tells whether a note has the heading that a link names. They are compared as loosely as those do who follow such links:
 * by letters and digits alone, since `[[Note#A & B]]`, `note.md#a--b` and the link that Obsidian writes all mean
 * `## A & *B*`; of a path such as `A#B` each heading is there somewhere.
 */
export function headingFinder(headings: readonly string[]): (name: string) => boolean {
  const known = new Set(headings.flatMap(headingForms));
  const isKnown = (name: string) =>
    known.has(looseName(name)) || known.has(looseName(name.replace(/-\d+$/, "")));
  return (name) => isKnown(name) || name.split("#").every((step) => step.trim() === "" || isKnown(step));
}

/** The names of the anchors of HTML in a text, which links in Markdown syntax can name as well. */
export function anchorsOf(text: string): Set<string> {
  const anchors = text.matchAll(/\s(?:id|name)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi);
  return new Set(Array.from(anchors, ([, double, single, bare]) => double ?? single ?? bare ?? ""));
}

/** A heading as it stands, and as it is read where it has links in it. */
export function headingForms(heading: string): string[] {
  const forms = [looseName(heading)];
  if (heading.includes("](")) forms.push(looseName(heading.replace(/\]\([^)]*\)/g, "")));
  if (heading.includes("|")) forms.push(looseName(heading.replace(/\[\[[^\]|]*\|/g, "")));
  return forms;
}

/** What of a name counts: letters and digits, or, where there are none, all but spaces. */
export function looseName(name: string): string {
  const folded = fold(name);
  return folded.replace(/[^\p{L}\p{N}\p{M}]+/gu, "") || folded.replace(/\s+/g, "");
}
