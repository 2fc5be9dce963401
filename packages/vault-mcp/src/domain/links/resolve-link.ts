import { folderOf } from "../document.ts";
import { foldName } from "../fold.ts";
import { comparePaths, FileNames, PathGroups } from "./file-names.ts";
import type { Link } from "./link.ts";
import { type LinkPath, noteExtensionOf, noteExtensions, readLinkPath } from "./link-path.ts";

/** What rule gave a link its target. */
export type ResolvedVia = "path" | "folder" | "shortest" | "name" | "alias";

/** Where a link leads. */
export type Resolution =
  | {
      readonly target: string;
      readonly via: ResolvedVia;
      /** Where other files fit as well: all of them, the chosen one first, as far as `mostCandidates`; else empty. */
      readonly candidates: readonly string[];
    }
  | {
      readonly target: undefined;
      /** The path that a note or attachment for this link would have; undefined where it would lie outside the vault. */
      readonly wouldBe: string | undefined;
    };

/** What of a link decides where it leads. */
export type LinkTarget = Pick<Link, "path" | "syntax">;

/** More candidates are not listed. */
export const mostCandidates = 20;

/** Tells where links lead; follows the vault's files one by one. Not found by a link: a file outside `files`. */
export interface Resolver {
  /** @param source path of the file that holds the link. */
  resolve(link: LinkTarget, source: string): Resolution;
  addFile(path: string, aliases?: readonly string[]): void;
  removeFile(path: string): void;
}

/**
 * Resolves links by one rule: the exact vault path; then the same folder; then the shortest path; then the first by
 * name; a wikilink at last through aliases. In Markdown syntax a path is first of all relative to its note, as
 * everywhere outside Obsidian, so that `[up](index.md)` does not leave its folder. Without regard to case; a file of
 * the very name before a note whose extension the link leaves out.
 *
 * @param files vault-relative paths of notes and attachments.
 * @param aliases the aliases of notes, by path.
 */
export function createResolver(
  files: Iterable<string>,
  aliases: Iterable<readonly [path: string, aliases: readonly string[]]> = [],
): Resolver {
  const names = new FileNames();
  const byAlias = new PathGroups();
  const aliasesOf = new Map<string, readonly string[]>();

  const removeAliases = (path: string) => {
    for (const alias of aliasesOf.get(path) ?? []) byAlias.remove(aliasKey(alias), path);
    aliasesOf.delete(path);
  };
  const setAliases = (path: string, given: readonly string[]) => {
    removeAliases(path);
    const useful = given.filter((alias) => aliasKey(alias) !== "");
    if (useful.length > 0) aliasesOf.set(path, useful);
    for (const alias of useful) byAlias.add(aliasKey(alias), path);
  };
  for (const path of files) names.add(path);
  for (const [path, given] of aliases) setAliases(path, given);

  return {
    addFile(path, given = []) {
      names.add(path);
      setAliases(path, given);
    },
    removeFile(path) {
      names.remove(path);
      removeAliases(path);
    },
    resolve(link, source) {
      if (link.path === "") return { target: source, via: "path", candidates: [] };
      const folder = folderOf(source);
      // A canvas names its files by their whole paths.
      const path = readLinkPath(link.syntax === "file" ? `/${link.path}` : link.path, folder);
      if (path === undefined) return { target: undefined, wouldBe: undefined };
      const found = findFile(names, path, folder, link.syntax === "inline" || link.syntax === "reference");
      if (found !== undefined) return found;
      const named = link.syntax === "wikilink" ? byAlias.get(aliasKey(link.path)) : [];
      const aliased = named.find((file) => folderOf(file) === folder) ?? named[0];
      return aliased === undefined
        ? { target: undefined, wouldBe: pathToCreate(path.path) }
        : { target: aliased, via: "alias", candidates: candidates(aliased, named) };
    },
  };
}

function aliasKey(alias: string): string {
  return foldName(alias.trim());
}

/** The spellings that a path can stand for, in order. */
function spellings(path: string): string[][] {
  return [[path], noteExtensions.map((extension) => `${path}${extension}`)];
}

function findFile(
  names: FileNames,
  { from, path }: LinkPath,
  folder: string,
  besideFirst: boolean,
): Resolution | undefined {
  for (const paths of spellings(path)) {
    const exact = firstAt(names, paths);
    const atRoot: Resolution | undefined =
      exact === undefined ? undefined : { target: exact, via: "path", candidates: [] };
    const isRelative = from === "anywhere" && folder !== "";
    const beside = isRelative
      ? firstAt(
          names,
          paths.map((spelling) => `${folder}/${spelling}`),
        )
      : undefined;
    if (atRoot !== undefined && (beside === undefined || !besideFirst)) return atRoot;
    if (from !== "anywhere") continue;
    const fitting = paths.flatMap((spelling) => names.endingWith(spelling).slice(0, mostCandidates));
    if (paths.length > 1) fitting.sort(comparePaths);
    if (beside !== undefined) {
      // A path that leads somewhere by itself is not ambiguous in Markdown.
      return { target: beside, via: "folder", candidates: besideFirst ? [] : candidates(beside, fitting) };
    }
    const chosen = choose(fitting);
    if (chosen !== undefined) return chosen;
  }
  return undefined;
}

function firstAt(names: FileNames, paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const file = names.at(path);
    if (file !== undefined) return file;
  }
  return undefined;
}

/** The first of files that are in their order of preference. */
function choose(files: readonly string[]) {
  const [first, second] = files;
  if (first === undefined) return undefined;
  const tied = second !== undefined && second.length === first.length;
  const via: ResolvedVia = tied ? "name" : "shortest";
  return { target: first, via, candidates: candidates(first, files) };
}

function candidates(chosen: string, files: readonly string[]): readonly string[] {
  if (files.length < 2) return [];
  const others = files.slice(0, mostCandidates).filter((file) => file !== chosen);
  return [chosen, ...others].slice(0, mostCandidates);
}

/** A link without an extension of a file is to a note. */
function pathToCreate(path: string): string {
  const isFile = noteExtensionOf(path) !== "" || /\.(?=[0-9]*[a-z])[a-z0-9]{2,10}$/i.test(path);
  return isFile ? path : `${path}.md`;
}
