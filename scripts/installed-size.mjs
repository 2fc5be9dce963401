import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { readJson } from "./workspace.mjs";

/**
 * What installing a package puts on the disk: its own files and those of all it depends on.
 *
 * @param {string} directory the package, with its dependencies where Node finds them
 * @param {readonly string[] | undefined} files its manifest's `files`; undefined: all of them
 * @returns {{ packages: number, bytes: number }}
 */
export function installedSize(directory, files) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  const add = (/** @type {string} */ folder, /** @type {readonly string[] | undefined} */ only) => {
    const real = realpathSync(folder);
    if (seen.has(real)) return;
    const parts =
      only === undefined
        ? [real]
        : ["package.json", "README.md", ...only].map((name) => path.join(real, name));
    seen.set(
      real,
      parts.filter(existsSync).reduce((sum, part) => sum + bytesIn(part), 0),
    );
    for (const name of Object.keys(readJson(path.join(real, "package.json")).dependencies ?? {})) {
      add(find(name, real), undefined);
    }
  };
  add(directory, files);
  return { packages: seen.size, bytes: [...seen.values()].reduce((sum, bytes) => sum + bytes, 0) };
}

/** Where Node finds a dependency of the package in `from`. @param {string} name @param {string} from */
function find(name, from) {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, "node_modules", name);
    if (existsSync(candidate)) return candidate;
    if (folder === path.dirname(folder)) throw new Error(`${name}, which ${from} needs, is not installed`);
  }
}

/** @param {string} place a file or a folder @returns {number} */
function bytesIn(place) {
  const stat = statSync(place);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(place)
    .filter((name) => name !== "node_modules")
    .reduce((sum, name) => sum + bytesIn(path.join(place, name)), 0);
}
