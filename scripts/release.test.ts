import { expect, test } from "vitest";
import { findEntryProblems, registrySchema } from "./registry-entry.mjs";
import { notesOf, parseTag, withRepository } from "./release.mjs";

test.each([
  ["vault-mcp@0.2.0", { name: "vault-mcp", version: "0.2.0" }],
  ["qnx-fs-mcp@1.0.0-beta.1", { name: "qnx-fs-mcp", version: "1.0.0-beta.1" }],
  ["v0.2.0", undefined],
  ["vault-mcp@latest", undefined],
  ["vault-mcp@0.2.0; rm -rf .", undefined],
])("reads the tag %s", (tag, expected) => {
  expect(parseTag(tag)).toEqual(expected);
});

test("finds the notes of one version, and of no other that begins alike", () => {
  const changelog = "# shelf\n\n## 0.1.10\n\n- ten\n\n## 0.1.1\n\n### Patch\n\n- one\n\n## 0.1.0\n\n- zero\n";
  expect(notesOf(changelog, "0.1.1")).toBe("### Patch\n\n- one\n");
  expect(notesOf(changelog, "0.1.0")).toBe("- zero\n");
  expect(notesOf(changelog, "0.2.0")).toBeUndefined();
});

test("names the repository as npm's provenance and the registry want it", () => {
  const url = "https://github.com/someone/shelves";
  expect(withRepository({ name: "shelf" }, "package", url, "packages/shelf").repository).toEqual({
    type: "git",
    url: "git+https://github.com/someone/shelves.git",
    directory: "packages/shelf",
  });
  const entry = {
    $schema: registrySchema,
    name: "io.github.someone/shelf",
    description: "Books",
    version: "1.0.0",
    packages: [],
  };
  const stamped = withRepository(entry, "entry", url, "packages/shelf");
  expect(stamped.repository).toEqual({ url, source: "github", subfolder: "packages/shelf" });
  expect(findEntryProblems(stamped, { mcpName: entry.name, version: "1.0.0" }, "")).toEqual([]);
});
