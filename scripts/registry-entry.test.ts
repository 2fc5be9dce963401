import { expect, test } from "vitest";
import { findEntryProblems, registrySchema } from "./registry-entry.mjs";

const manifest = { name: "shelf-mcp", version: "1.2.3", mcpName: "io.github.someone/shelf-mcp" };
const help = "Options:\n  SHELF_DIR  the shelf [SHELF_DIR]\n  --dust     keep it [SHELF_DUST]\n";

function entry() {
  return {
    $schema: registrySchema,
    name: "io.github.someone/shelf-mcp",
    description: "Books on a shelf",
    version: "1.2.3",
    packages: [
      {
        registryType: "npm",
        identifier: "shelf-mcp",
        version: "1.2.3",
        transport: { type: "stdio" },
        packageArguments: [{ type: "positional", valueHint: "SHELF_DIR", description: "The shelf" }],
        environmentVariables: [{ name: "SHELF_DUST", description: "Keep it", format: "boolean" }],
      },
    ],
  };
}

test("accepts an entry that agrees with its package and its server", () => {
  expect(findEntryProblems(entry(), manifest, help)).toEqual([]);
});

test.each([
  ["a long description", { description: "x".repeat(101) }, "longer than 100 characters"],
  ["a range of versions", { version: "^1.2.3" }, "server.json.version must be"],
  ["no packages", { packages: undefined }, "server.json.packages is missing"],
  ["a name in snake_case", { website_url: "https://example.org" }, "website_url is no field"],
  ["a name without a namespace", { name: "shelf-mcp" }, "server.json.name must be"],
  ["another version than the package", { version: "1.2.4" }, "the version is 1.2.4 in server.json and 1.2.3"],
  ["another schema", { $schema: "https://example.org/schema.json" }, "$schema must be one of"],
])("refuses %s", (_, change, problem) => {
  expect(findEntryProblems({ ...entry(), ...change }, manifest, help).join("\n")).toContain(problem);
});

test("refuses a variable that the server does not know", () => {
  const changed = entry();
  changed.packages[0]?.environmentVariables.push({
    name: "SHELF_DUSTY",
    description: "Keep it",
    format: "boolean",
  });
  expect(findEntryProblems(changed, manifest, help)).toEqual([
    "[SHELF_DUSTY] is no setting that shelf-mcp --help names",
  ]);
});

test("refuses an argument of a shape that the registry does not have", () => {
  const changed = entry();
  Object.assign(changed.packages[0]?.packageArguments[0] ?? {}, { value_hint: "x" });
  expect(findEntryProblems(changed, manifest, help)).toEqual([
    "server.json.packages[0].packageArguments[0].value_hint is no field of it",
  ]);
});
