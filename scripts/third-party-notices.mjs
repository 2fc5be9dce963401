import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/**
 * The licence texts of every library of which a bundle holds any byte.
 *
 * @param {import("esbuild").Metafile} metafile
 * @param {string} directory what the metafile's paths are relative to
 * @returns {string} plain text, one part a library, sorted by name and version
 * @throws when a bundled library carries no licence
 */
export function thirdPartyNotices(metafile, directory) {
  const files = new Set(
    Object.values(metafile.outputs).flatMap(({ inputs }) =>
      Object.keys(inputs).filter((input) => (inputs[input]?.bytesInOutput ?? 0) > 0),
    ),
  );
  /** @type {Map<string, string>} */
  const parts = new Map();
  for (const file of files) {
    if (!file.includes("node_modules/")) continue;
    const library = packageOf(path.resolve(directory, file));
    const manifest = JSON.parse(readFileSync(path.join(library, "package.json"), "utf8"));
    const { name, version, license = manifest.licenses?.[0]?.type } = manifest;
    const key = `${name} ${version}`;
    if (parts.has(key)) continue;
    const text = licenceText(library);
    if (text === "" && typeof license !== "string") throw new Error(`${key} is bundled but has no licence`);
    parts.set(key, `${key} (${license ?? "see below"})\n\n${text}`.trimEnd());
  }
  const sorted = [...parts.keys()].sort().map((key) => parts.get(key));
  const rule = "-".repeat(80);
  return `Libraries inside this package and their licences.\n\n${sorted.map((part) => `${rule}\n${part}\n`).join("\n")}`;
}

/** The folder of the library that a file belongs to: the nearest one with a named package.json. @param {string} file */
function packageOf(file) {
  for (let directory = path.dirname(file); ; directory = path.dirname(directory)) {
    const manifest = path.join(directory, "package.json");
    // Some libraries mark folders by a package.json that holds only a module type.
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).version) return directory;
    if (directory === path.dirname(directory)) throw new Error(`no package.json above ${file}`);
  }
}

/** What the library's licence and notice files say. @param {string} library */
function licenceText(library) {
  return readdirSync(library)
    .filter((name) => /^(licen[cs]e|copying|notice)([.-].*)?$/i.test(name))
    .sort()
    .map((name) => readFileSync(path.join(library, name), "utf8").trim())
    .join("\n\n");
}
