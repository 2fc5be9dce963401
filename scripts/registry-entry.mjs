/**
 * The rules of a server.json for the MCP registry: its schema of 2025-12-11, and what the registry adds for npm
 * packages. Source: modelcontextprotocol/registry, docs/reference/server-json.
 */
export const registrySchema = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/** @typedef {(value: any, at: string) => string[]} Rule what is wrong with the value at a place */

/** @param {{ max?: number, pattern?: RegExp }} [bounds] characters @returns {Rule} */
function text({ max = Number.POSITIVE_INFINITY, pattern = /./s } = {}) {
  return (value, at) => {
    if (typeof value !== "string" || !pattern.test(value)) return [`${at} must be a text like ${pattern}`];
    return [...value].length > max ? [`${at} is longer than ${max} characters`] : [];
  };
}

/** @param {...unknown} words @returns {Rule} */
function oneOf(...words) {
  return (value, at) => (words.includes(value) ? [] : [`${at} must be one of ${words.join(", ")}`]);
}

/** @param {Rule} rule @returns {Rule} */
function list(rule) {
  return (value, at) =>
    Array.isArray(value)
      ? value.flatMap((each, place) => rule(each, `${at}[${place}]`))
      : [`${at} must be a list`];
}

/**
 * An object with these fields and no others: the registry's schema lets others pass, and would not see a slip.
 *
 * @param {Record<string, Rule>} required @param {Record<string, Rule>} [optional] @returns {Rule}
 */
function record(required, optional = {}) {
  const known = { ...required, ...optional };
  return (value, at) => {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return [`${at} must be an object`];
    const missing = Object.keys(required).filter((name) => value[name] === undefined);
    return [
      ...missing.map((name) => `${at}.${name} is missing`),
      ...Object.entries(value).flatMap(
        ([name, field]) => known[name]?.(field, `${at}.${name}`) ?? [`${at}.${name} is no field of it`],
      ),
    ];
  };
}

const input = {
  description: text(),
  format: oneOf("string", "number", "boolean", "filepath"),
  isRequired: oneOf(true, false),
  isSecret: oneOf(true, false),
  default: text(),
  placeholder: text(),
  value: text(),
  choices: list(text()),
};
const repeated = { isRepeated: oneOf(true, false) };
const positional = record(
  { type: oneOf("positional"), valueHint: text(), description: text() },
  { ...input, ...repeated },
);
const named = record(
  { type: oneOf("named"), name: text({ pattern: /^--[a-z-]+$/ }), description: text() },
  { ...input, ...repeated },
);
/** @type {Rule} */
const argument = (value, at) => (value?.type === "named" ? named : positional)(value, at);

const exactVersion = text({ max: 255, pattern: /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/ });
const server = record(
  {
    $schema: oneOf(registrySchema),
    name: text({ max: 200, pattern: /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/ }),
    description: text({ max: 100 }),
    version: exactVersion,
    packages: list(
      record(
        {
          registryType: oneOf("npm"),
          identifier: text(),
          version: exactVersion,
          transport: record({ type: oneOf("stdio") }),
        },
        {
          runtimeHint: oneOf("npx"),
          packageArguments: list(argument),
          environmentVariables: list(
            record({ name: text({ pattern: /^[A-Z][A-Z0-9_]*$/ }), description: text() }, input),
          ),
        },
      ),
    ),
  },
  {
    title: text({ max: 100 }),
    websiteUrl: text({ pattern: /^https:\/\// }),
    repository: record({ url: text({ pattern: /^https:\/\// }), source: text() }, { subfolder: text() }),
  },
);

/**
 * What is wrong with a server's entry: by itself, beside its package.json, and beside what the server itself says of
 * its settings.
 *
 * @param {any} entry the server.json
 * @param {Record<string, any>} manifest the package.json
 * @param {string} help what the server prints for `--help`
 * @returns {string[]} empty when it may be published
 */
export function findEntryProblems(entry, manifest, help) {
  const problems = server(entry, "server.json");
  if (problems.length > 0) return problems;
  const equal = (/** @type {string} */ what, /** @type {unknown} */ here, /** @type {unknown} */ there) =>
    here === there ? [] : [`${what} is ${here} in server.json and ${there} in package.json`];
  return [
    ...equal("the name", entry.name, manifest.mcpName),
    ...equal("the version", entry.version, manifest.version),
    ...entry.packages.flatMap((/** @type {any} */ published) => [
      ...equal("the package", published.identifier, manifest.name),
      ...equal("the package's version", published.version, manifest.version),
      ...settingsOf(published)
        .filter((name) => !help.includes(name))
        .map((name) => `${name} is no setting that ${manifest.name} --help names`),
    ]),
  ];
}

/** The settings of a package, as the help writes them. @param {any} published @returns {string[]} */
function settingsOf({ packageArguments = [], environmentVariables = [] }) {
  return [
    ...packageArguments.map((/** @type {any} */ { type, name, valueHint }) =>
      type === "named" ? `  ${name} ` : `  ${valueHint} `,
    ),
    ...environmentVariables.map((/** @type {any} */ { name }) => `[${name}]`),
  ];
}
