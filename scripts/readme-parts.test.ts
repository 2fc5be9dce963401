import { expect, test } from "vitest";
import { installPart, placeParts, toolsPart } from "./readme-parts.mjs";

test("the buttons carry what the client is to start", () => {
  const part = installPart("vault-mcp");
  const code = new URL(/\((https:\/\/insiders[^)]+)\)/.exec(part)?.[1] ?? "");
  expect(JSON.parse(code.searchParams.get("config") ?? "")).toEqual({
    command: "npx",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code fills it in.
    args: ["-y", "vault-mcp", "${input:vault_dir}"],
  });
  expect(JSON.parse(code.searchParams.get("inputs") ?? "")).toMatchObject([{ id: "vault_dir" }]);
  const cursor = new URL(/\((https:\/\/cursor.com\/en[^)]+)\)/.exec(part)?.[1] ?? "");
  const config = Buffer.from(cursor.searchParams.get("config") ?? "", "base64").toString();
  expect(JSON.parse(config)).toEqual({ command: "npx", args: ["-y", "vault-mcp", "/path/to/notes"] });
});

test("a tool is told by its first sentence, as Markdown shows it", () => {
  const description = "Lists books of a <shelf> | by `*.md`. It never writes.";
  const part = toolsPart([{ name: "list", description, annotations: { readOnlyHint: true } }]);
  expect(part.split("\n").at(-1)).toBe(
    "| [`list`](docs/tools.md#list) | reads | Lists books of a \\<shelf> \\| by `\\*.md`. |",
  );
});

test("parts go to their places, and a place that is missing is told", () => {
  const text = "a\n<!-- tools: written by scripts/docs.mjs -->\nold\n<!-- end -->\nb\n<!-- end -->\n";
  const placed = placeParts(text, { tools: "new $1" });
  expect(placed).toBe(
    "a\n<!-- tools: written by scripts/docs.mjs -->\n\nnew $1\n\n<!-- end -->\nb\n<!-- end -->\n",
  );
  expect(placeParts(placed, { tools: "new $1" })).toBe(placed);
  expect(() => placeParts("nothing", { tools: "x" })).toThrow("no place for the part tools");
});
