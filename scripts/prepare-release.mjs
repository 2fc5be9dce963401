/**
 * Makes the tree ready to publish one server: `node scripts/prepare-release.mjs NAME@VERSION REPOSITORY-URL`. Refuses a
 * tag that is not the version in package.json; writes the repository into package.json and server.json, since
 * provenance must name the one that the release is built in, and the changelog's part into release-notes.md.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { notesOf, parseTag, withRepository } from "./release.mjs";
import { fail } from "./run-command.mjs";
import { listServers, readJson, root } from "./workspace.mjs";

const [tag = "", url = ""] = process.argv.slice(2);
const { name, version } = parseTag(tag) ?? fail(`${tag} is no tag NAME@VERSION`);
const server = listServers().find(({ manifest }) => manifest.name === name);
if (server === undefined) fail(`${name} is no server of this repository`);
if (server.manifest.version !== version)
  fail(`the tag says ${version}, packages/${server.folder}/package.json ${server.manifest.version}`);
if (!/^https:\/\/[^/]+\/[^/]+\/[^/]+$/.test(url)) fail(`${url} is no https URL of a repository`);

for (const [file, kind] of /** @type {const} */ ([
  ["package.json", "package"],
  ["server.json", "entry"],
])) {
  const place = path.join(server.directory, file);
  const stamped = withRepository(readJson(place), kind, url, `packages/${server.folder}`);
  writeFileSync(place, `${JSON.stringify(stamped, undefined, 2)}\n`);
}
const changelog = path.join(server.directory, "CHANGELOG.md");
const notes = existsSync(changelog) ? notesOf(readFileSync(changelog, "utf8"), version) : undefined;
writeFileSync(
  path.join(root, "release-notes.md"),
  notes ?? fail(`${changelog} has no part for ${version}; run node scripts/version.mjs`),
);
