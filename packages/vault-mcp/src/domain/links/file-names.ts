import { compareBinary, foldName } from "../fold.ts";
import { lastName } from "./link-path.ts";

/** Shorter paths first, then in binary order: the order in which a name's files are preferred. */
export function comparePaths(a: string, b: string): number {
  return a.length - b.length || compareBinary(a, b);
}

/** Paths by a folded key; the paths of a key are kept in their order of preference. */
export class PathGroups {
  readonly #groups = new Map<string, string | string[]>();

  add(key: string, path: string): void {
    const group = this.#groups.get(key);
    if (group === undefined) this.#groups.set(key, path);
    else if (typeof group === "string") {
      if (group !== path) this.#groups.set(key, [group, path].sort(comparePaths));
    } else {
      const at = placeIn(group, path);
      if (group[at] !== path) group.splice(at, 0, path);
    }
  }

  remove(key: string, path: string): void {
    const group = this.#groups.get(key);
    if (group === path) this.#groups.delete(key);
    if (group === undefined || typeof group === "string") return;
    const at = placeIn(group, path);
    if (group[at] !== path) return;
    group.splice(at, 1);
    if (group.length === 0) this.#groups.delete(key);
  }

  get(key: string): readonly string[] {
    const group = this.#groups.get(key);
    return group === undefined ? [] : typeof group === "string" ? [group] : group;
  }
}

function placeIn(group: readonly string[], path: string): number {
  let low = 0;
  let high = group.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (comparePaths(group[middle] ?? "", path) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The files of a vault by path and by name, without regard to case and to the form of accents. */
export class FileNames {
  readonly #paths = new PathGroups();
  readonly #names = new PathGroups();
  /** By the last two names: thousands of files may be called index.md. */
  readonly #pairs = new PathGroups();

  add(path: string): void {
    const key = foldName(path);
    this.#paths.add(key, path);
    this.#names.add(lastName(key), path);
    const pair = lastTwoNames(key);
    if (pair !== undefined) this.#pairs.add(pair, path);
  }

  remove(path: string): void {
    const key = foldName(path);
    this.#paths.remove(key, path);
    this.#names.remove(lastName(key), path);
    const pair = lastTwoNames(key);
    if (pair !== undefined) this.#pairs.remove(pair, path);
  }

  /** The file of that path; of several that differ in case alone, the one that is spelled so. */
  at(path: string): string | undefined {
    const found = this.#paths.get(foldName(path));
    const spelled = path.normalize("NFC");
    return found.length < 2
      ? found[0]
      : (found.find((file) => file.normalize("NFC") === spelled) ?? found[0]);
  }

  /** The files whose path is, or ends with, the given names; the shortest path first. */
  endingWith(path: string): readonly string[] {
    const key = foldName(path);
    const pair = lastTwoNames(key);
    if (pair === undefined) return this.#names.get(key);
    const found = this.#pairs.get(pair);
    if (pair === key) return found;
    return found.filter((file) => `/${foldName(file)}`.endsWith(`/${key}`));
  }
}

/** `b/c` of `a/b/c`; undefined for a name alone. */
function lastTwoNames(path: string): string | undefined {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? undefined : path.slice(path.lastIndexOf("/", slash - 1) + 1);
}
