import type { Link } from "./link.ts";
import { type LinkEdit, markdownEdit, type Retarget, targetEdit } from "./link-text.ts";

/** A text with other targets. */
export interface RewrittenText {
  readonly text: string;
  /** The links as they were that now lead elsewhere; one for each use of a definition. */
  readonly changed: readonly Link[];
  /** The links that could not be rewritten, and stand as they did. */
  readonly failed: readonly Link[];
}

interface Change {
  readonly link: Link;
  /** In order of preference. */
  readonly edits: readonly LinkEdit[];
}

/**
 * Rewrites links of a text in their own style and leaves every other character as it is. What was written is read again:
 * a link counts as changed only when it is found with its new target, and all others as they were.
 *
 * @param extract finds the links of a text of this kind, the same way before and after.
 * @param retarget the new target of a link; undefined for one that stays.
 */
export function rewriteLinks(
  text: string,
  extract: (text: string) => readonly Link[],
  retarget: (link: Link) => Retarget | undefined,
): RewrittenText {
  const links = extract(text);
  const changes = links.flatMap((link): Change[] => {
    const to = retarget(link);
    if (to === undefined || link.path === "") return [];
    return [
      { link, edits: [targetEdit(link, to), markdownEdit(link, to)].filter((edit) => edit !== undefined) },
    ];
  });
  const first = changes.flatMap(({ link, edits }) =>
    edits[0] === undefined ? [] : [[link, edits[0]] as const],
  );
  const chosen = new Map(first);
  const whole = apply(text, chosen);
  if (!reads(extract(whole), links, chosen)) return rewriteOneByOne(text, extract, links, changes);
  return report(whole, changes, chosen);
}

/** Takes the edits up one after the other, and leaves out those after which the text reads otherwise. */
function rewriteOneByOne(
  text: string,
  extract: (text: string) => readonly Link[],
  links: readonly Link[],
  changes: readonly Change[],
): RewrittenText {
  let chosen: ReadonlyMap<Link, LinkEdit> = new Map();
  for (const { together, edits } of byDefinition(changes)) {
    for (const edit of edits) {
      const tried = new Map([...chosen, ...together.map((link) => [link, edit] as const)]);
      if (!reads(extract(apply(text, tried)), links, tried)) continue;
      chosen = tried;
      break;
    }
  }
  return report(apply(text, chosen), changes, chosen);
}

/** Links by reference that share a definition change together. */
function byDefinition(changes: readonly Change[]): { together: Link[]; edits: readonly LinkEdit[] }[] {
  const groups = new Map<number, { together: Link[]; edits: readonly LinkEdit[] }>();
  for (const { link, edits } of changes) {
    const group = groups.get(link.pathRange.start);
    if (group === undefined) groups.set(link.pathRange.start, { together: [link], edits });
    else group.together.push(link);
  }
  return [...groups.values()];
}

function report(
  text: string,
  changes: readonly Change[],
  chosen: ReadonlyMap<Link, LinkEdit>,
): RewrittenText {
  const links = changes.map(({ link }) => link);
  return {
    text,
    changed: links.filter((link) => chosen.has(link)),
    failed: links.filter((link) => !chosen.has(link)),
  };
}

function apply(text: string, edits: ReadonlyMap<Link, LinkEdit>): string {
  const byPlace = new Map([...edits.values()].map((edit) => [edit.range.start, edit]));
  let result = "";
  let from = 0;
  for (const edit of [...byPlace.values()].sort((a, b) => a.range.start - b.range.start)) {
    // Inside what was replaced as a whole.
    if (edit.range.start < from) continue;
    result += text.slice(from, edit.range.start) + edit.text;
    from = edit.range.end;
  }
  return result + text.slice(from);
}

/** Whether the links found are those from before, with the new paths of the ones that were edited. */
function reads(found: readonly Link[], before: readonly Link[], edits: ReadonlyMap<Link, LinkEdit>): boolean {
  if (found.length !== before.length) return false;
  return found.every((link, index) => {
    const old = before[index];
    if (old === undefined || link.heading !== old.heading || link.block !== old.block) return false;
    if (link.syntax === old.syntax && link.alias !== old.alias) return false;
    return link.path === (edits.get(old)?.path ?? old.path);
  });
}
