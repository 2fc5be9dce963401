/** A tag of a release: `NAME@VERSION`. @param {string} tag */
export function parseTag(tag) {
  const found = /^(?<name>[a-z0-9-]+)@(?<version>\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)$/.exec(tag)?.groups;
  return found?.name === undefined || found.version === undefined
    ? undefined
    : { name: found.name, version: found.version };
}

/** The part of a changelog that tells of one version. @param {string} changelog @param {string} version */
export function notesOf(changelog, version) {
  const parts = changelog.split(/^(?=## )/m);
  const found = parts.find((part) => part.split("\n", 1)[0]?.trim() === `## ${version}`);
  return found === undefined ? undefined : `${found.slice(found.indexOf("\n")).trim()}\n`;
}

/**
 * A manifest with its repository, in the form of package.json or of the registry's server.json.
 *
 * @param {Record<string, any>} manifest
 * @param {"package" | "entry"} kind
 * @param {string} url of the repository, without `.git`
 * @param {string} directory of the server in it
 */
export function withRepository(manifest, kind, url, directory) {
  const repository =
    kind === "package"
      ? { type: "git", url: `git+${url}.git`, directory }
      : { url, source: new URL(url).hostname.split(".")[0], subfolder: directory };
  return { ...manifest, repository };
}
