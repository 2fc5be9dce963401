import { folderOf } from "../document.ts";
import type { Range } from "../markdown/mapped-text.ts";
import type { Link } from "./link.ts";
import { noteExtensionOf } from "./link-path.ts";
import type { ResolvedVia, Resolver } from "./resolve-link.ts";
import { encodeDestination, spellIn, spellPath } from "./spell-target.ts";

/** What a link is to lead to from now on. */
export interface Retarget {
  /** Path of the file that will hold the link. */
  readonly source: string;
  readonly target: string;
  /** Knows the files as they will be. */
  readonly resolver: Resolver;
  /** How the link was resolved before: one in Markdown that was found beside its note stays relative. */
  readonly via?: ResolvedVia;
}

/** What to write where in a file so that a link leads elsewhere. */
export interface LinkEdit {
  readonly range: Range;
  readonly text: string;
  /** The path that the link then has, decoded. */
  readonly path: string;
}

/** The edit that gives a link its new target and leaves all else as it is; undefined where its style cannot name it. */
export function targetEdit(link: Link, retarget: Retarget): LinkEdit | undefined {
  const path = shortestUnambiguous(link, retarget);
  const text = spellPath(link, path);
  return text === undefined ? undefined : { range: link.pathRange, text, path };
}

/** The edit that makes a Markdown link of a wikilink, for names that no wikilink can hold; undefined for other links. */
export function markdownEdit(link: Link, retarget: Retarget): LinkEdit | undefined {
  if (link.syntax !== "wikilink") return undefined;
  const path = shortestUnambiguous({ ...link, syntax: "inline" }, retarget);
  const fragment = link.block === undefined ? link.heading : `^${link.block}`;
  const encode = (part: string) => encodeDestination(part, { raw: "", pointy: false, escaped: false });
  const destination = encode(path) + (fragment === undefined ? "" : `#${encode(fragment)}`);
  const label = link.text.replace(/\\?[[\]]/g, (bracket) => `\\${bracket.slice(-1)}`);
  const text = spellIn(link.notation, `${link.image ? "!" : ""}[${label}](${destination})`);
  return text === undefined ? undefined : { range: link.range, text, path };
}

/**
 * The path, not yet encoded, by which a link leads to its new target: rooted, relative or in part, with an extension or
 * without, as it was, and as short as it was where that stays unambiguous.
 */
export function shortestUnambiguous(link: Link, { source, target, resolver, via }: Retarget): string {
  if (link.syntax === "file") return target;
  const shown = shownPath(link, target);
  const leads = (path: string) => {
    const found = resolver.resolve({ path, syntax: link.syntax }, source);
    return found.target === target && found.candidates.length === 0 && found.via !== "alias";
  };
  // In Markdown a whole path stays one: other programs find no part of it.
  const isWhole = link.syntax !== "wikilink" && via === "path" && link.path.includes("/");
  const forms = [
    ...ownForms(link, folderOf(source), shown, via),
    ...(isWhole ? [shown] : suffixes(link, shown)),
  ];
  return forms.find(leads) ?? [shown, target, `/${target}`].find(leads) ?? `/${target}`;
}

/** The target without its note extension, where the link had none. */
function shownPath({ path }: Link, target: string): string {
  const extension = noteExtensionOf(target);
  return extension === "" || noteExtensionOf(path) !== "" ? target : target.slice(0, -extension.length);
}

/** The ways of writing that keep where the path begins: at the root, or at the note's folder. */
function ownForms(
  { path, syntax }: Link,
  folder: string,
  shown: string,
  via: ResolvedVia | undefined,
): string[] {
  if (path.startsWith("/")) return [`/${shown}`];
  const relative = relativePath(folder, shown);
  const dotted = relative.startsWith("../") ? relative : `./${relative}`;
  if (/^\.\.?\//.test(path)) return [dotted];
  return syntax !== "wikilink" && via === "folder" ? [relative, dotted] : [];
}

/** The ends of the path, from as many names as the link had to all of them. */
function suffixes({ path }: Link, shown: string): string[] {
  const names = shown.split("/");
  const least = Math.min(path.split("/").filter((name) => name !== "").length, names.length);
  return names
    .slice(0, names.length - least + 1)
    .map((_, index) => names.slice(names.length - least - index).join("/"));
}

/** The way from a folder to a path. */
function relativePath(folder: string, path: string): string {
  const from = folder === "" ? [] : folder.split("/");
  const to = path.split("/");
  let shared = 0;
  while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared += 1;
  return [...from.slice(shared).map(() => ".."), ...to.slice(shared)].join("/");
}
