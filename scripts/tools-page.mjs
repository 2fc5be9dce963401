/**
 * The reference page of a server's tools.
 *
 * @param {string} server its name
 * @param {readonly any[]} tools as `tools/list` gives them
 * @returns {string} Markdown
 */
export function toolsPage(server, tools) {
  const rows = tools.map(
    ({ name, title, annotations }) => `| [\`${name}\`](#${name}) | ${title} | ${hints(annotations)} |`,
  );
  return [
    `# Tools of ${server}`,
    "<!-- Written by scripts/docs.mjs from the server's own tools/list. Change the tool, not this page. -->",
    ["| tool | title | what a call does |", "|---|---|---|", ...rows].join("\n"),
    ...tools.map(toolSection),
    "",
  ]
    .join("\n\n")
    .trimEnd()
    .concat("\n");
}

/** @param {any} tool */
function toolSection({ name, title, description, inputSchema, outputSchema, annotations }) {
  const inputs = fields(inputSchema).map(
    ({ path, required, schema }) =>
      `| \`${path}\`${required ? " (required)" : ""} | ${typeOf(schema)} | ${defaultOf(schema)} | ${cell(schema.description)} |`,
  );
  const outputs = fields(outputSchema).map(
    ({ path, required, schema }) =>
      `| \`${path}\`${required ? "" : " (not always)"} | ${typeOf(schema)} | ${cell(schema.description)} |`,
  );
  return [
    `## ${name}`,
    `**${title}** · ${hints(annotations)}`,
    plain(description),
    "### Arguments",
    inputs.length === 0
      ? "None."
      : ["| argument | type | default | meaning |", "|---|---|---|---|", ...inputs].join("\n"),
    "### Answer",
    ["| field | type | meaning |", "|---|---|---|", ...outputs].join("\n"),
  ].join("\n\n");
}

/** @param {any} annotations */
function hints({ readOnlyHint, destructiveHint, idempotentHint }) {
  if (readOnlyHint) return "reads";
  const again = idempotentHint
    ? "the same call again changes nothing more"
    : "the same call again acts again";
  return `${destructiveHint ? "changes or removes" : "adds"}; ${again}`;
}

/**
 * Every field of an object schema, nested ones by their path: `files[].path`.
 *
 * @param {any} schema @param {string} [prefix]
 * @returns {{ path: string, required: boolean, schema: any }[]}
 */
function fields(schema, prefix = "") {
  const required = new Set(schema?.required ?? []);
  return Object.entries(schema?.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const below = field.items ? fields(field.items, `${path}[].`) : fields(field, `${path}.`);
    return [{ path, required: required.has(name), schema: field }, ...below];
  });
}

/** The type of a value and its bounds, in words. @param {any} schema @returns {string} */
function typeOf(schema) {
  if (schema.const !== undefined) return `always \`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((/** @type {unknown} */ value) => `\`${value}\``).join(" \\| ");
  const types = [schema.type ?? "any"]
    .flat()
    .map((type) => (type === "array" ? `list of ${typeOf(schema.items ?? {})}` : type));
  const name = types.length > 4 ? "any" : types.join(" or ");
  return [schema.format === "date-time" ? name.replace("string", "date-time") : name, boundsOf(schema)]
    .filter(Boolean)
    .join(", ");
}

/** @param {any} schema */
function boundsOf({ minimum, maximum, minLength, maxLength, minItems, maxItems }) {
  return [
    range(minimum, maximum, ""),
    range(minLength, maxLength, " characters"),
    range(minItems, maxItems, " items"),
  ]
    .filter(Boolean)
    .join(", ");
}

/** @param {number | undefined} low @param {number | undefined} high @param {string} unit */
function range(low, high, unit) {
  if (low === undefined && high === undefined) return "";
  if (high === undefined) return `${low} or more${unit}`;
  return low === undefined ? `${high} or fewer${unit}` : `${low}–${high}${unit}`;
}

/** @param {any} schema */
function defaultOf(schema) {
  return schema.default === undefined ? "" : `\`${JSON.stringify(schema.default)}\``;
}

/** Text that stays in its cell and shows as it stands. @param {string | undefined} text */
function cell(text = "") {
  return plain(text)
    .replaceAll("|", "\\|")
    .replace(/\s*\n\s*/g, " ");
}

/** Text of which Markdown makes nothing else: `*` in a pattern is no emphasis. @param {string} text */
function plain(text) {
  return text.replace(/[*<]/g, "\\$&");
}
