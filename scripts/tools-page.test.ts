import { expect, test } from "vitest";
import { toolsPage } from "./tools-page.mjs";

const tool = {
  name: "file_list",
  title: "List Files",
  description: "List the files of one folder.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string", description: "a | b\n*.md", minLength: 1 },
      sort: { type: "string", enum: ["name", "size"], default: "name" },
      limit: { type: "integer", minimum: 1, maximum: 1000, default: 200 },
      types: { type: "array", items: { type: "string" } },
    },
    required: ["path"],
  },
  outputSchema: {
    type: "object",
    properties: {
      entries: {
        type: "array",
        items: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      },
      next_cursor: { type: ["string", "null"] },
      note: { type: "string" },
      eot: { const: "·eot", type: "string" },
    },
    required: ["entries", "next_cursor", "eot"],
  },
};

const page = toolsPage("demo-mcp", [tool]);

test.each([
  ["the title and what a call does", "| [`file_list`](#file_list) | List Files | reads |"],
  [
    "a required text, its cell intact",
    "| `path` (required) | string, 1 or more characters |  | a \\| b \\*.md |",
  ],
  ["words to choose from", '| `sort` | `name` \\| `size` | `"name"` |  |'],
  ["bounds and a default", "| `limit` | integer, 1–1000 | `200` |  |"],
  ["a list", "| `types` | list of string |  |  |"],
  ["nested fields by their path", "| `entries[].name` | string |  |"],
  ["null as a second type", "| `next_cursor` | string or null |  |"],
  ["what is not always there", "| `note` (not always) | string |  |"],
  ["constants", '| `eot` | always `"·eot"` |  |'],
])("shows %s", (_what, line) => {
  expect(page.split("\n")).toContain(line);
});

test("says of a tool without arguments that it has none", () => {
  const bare = { ...tool, inputSchema: { type: "object", properties: {} } };
  expect(toolsPage("demo-mcp", [bare])).toContain("### Arguments\n\nNone.\n");
});
