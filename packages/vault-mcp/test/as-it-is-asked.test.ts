import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { VaultError } from "../src/domain/errors.ts";
import { type OpenedTools, openTools } from "./support/open-tools.ts";
import { type TemporaryVault, temporaryVault } from "./support/temporary-vault.ts";

/** Calls as those make them who know a note by another name than its path: the answer leads on. */
let vault: TemporaryVault;
let tools: OpenedTools;
beforeAll(async () => {
  vault = temporaryVault({
    "Projects/Alpha.md":
      "---\naliases: [Project A]\n---\n# Alpha\n\n## Log\n\n### Week 1\nfirst\n\n## Notes\nsame\n\n## Notes\ntwice ^here\n",
    "People/m.md": "---\ntitle: Dr. Marie Curie\n---\nSee [[Alpha]].",
    "Inbox/marie.md": "",
  });
  symlinkSync("../Projects/Alpha.md", join(vault.root, "Inbox", "link.md"));
  tools = openTools(vault.root);
  await tools.call("list_documents", { wait_for_pending_writes: true });
});
afterAll(async () => {
  await tools.close();
  vault.dispose();
});

const failureOf = async (tool: string, args: Record<string, unknown>) => {
  const error: unknown = await tools.call(tool, args).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof VaultError)) throw new Error(`${tool} did not fail: ${error}`);
  return { code: error.code, details: error.details };
};

describe("a note by another name than its path", () => {
  it.each([
    ["Alpha", "Projects/Alpha.md"],
    ["projects/alpha.md", "Projects/Alpha.md"],
    ["[[Alpha#Log|the log]]", "Projects/Alpha.md"],
    ["Projects/Alpha.md#Log", "Projects/Alpha.md"],
    ["obsidian://open?vault=v&file=Projects%2FAlpha", "Projects/Alpha.md"],
    ["project a", "Projects/Alpha.md"],
    ["[[Project A]]", "Projects/Alpha.md"],
    ["dr. marie curie", "People/m.md"],
    ["People/Dr. Marie Curie.md", "People/m.md"],
  ])("%s is named in the refusal, first of all", async (path, meant) => {
    for (const tool of ["read_document", "get_links"]) {
      const { code, details } = await failureOf(tool, { path });
      expect(code).toBe("NOT_FOUND");
      expect((details as { nearest: string[] }).nearest[0]).toBe(meant);
    }
  });
});

describe("links of what is no note of the list", () => {
  it("are those of the note that a link of the file system leads to", async () => {
    const { entries } = await tools.call("get_links", { path: "Inbox/link.md" });
    expect(entries).toMatchObject([{ source: "People/m.md", target: "Projects/Alpha.md" }]);
  });

  it("are refused for a folder and for kinds that are not served", async () => {
    vault.write("Inbox/tool.exe", "x");
    expect((await failureOf("get_links", { path: "Inbox" })).code).toBe("NOT_A_FILE");
    expect((await failureOf("get_links", { path: "Inbox/tool.exe" })).code).toBe("KIND_NOT_SERVED");
  });

  it("are those of a note that came this moment", async () => {
    vault.write("Inbox/new.md", "[[Alpha]]");
    const { entries } = await tools.call("get_links", { path: "Inbox/new.md" });
    expect(entries).toMatchObject([{ source: "Inbox/new.md", target: "Projects/Alpha.md" }]);
  });
});

describe("a section by another name", () => {
  it.each([
    ["#^here", "twice ^here\n"],
    ["Log#Week 1", "### Week 1\nfirst\n\n"],
    ["week-1", "### Week 1\nfirst\n\n"],
  ])("%s", async (section, content) => {
    const answer = await tools.call("read_document", { path: "Projects/Alpha.md", section });
    expect(answer.data.content).toBe(content);
  });
});

it("a section that is not there is answered with those that are like it, of blocks with blocks", async () => {
  const path = "Projects/Alpha.md";
  const nearest = async (section: string) =>
    (await failureOf("read_document", { path, section })).details as { nearest: string[] };
  expect((await nearest("Log > Weak 1")).nearest).toEqual(["Week 1"]);
  expect((await nearest("^her")).nearest).toEqual(["^here"]);
  expect(await failureOf("read_document", { path: "Inbox/marie.md", section: "x" })).toMatchObject({
    details: { nearest: [] },
  });
  expect((await nearest("nothing alike")).nearest).toEqual(["Alpha", "Log", "Week 1", "Notes"]);
});

it("of two sections that no path tells apart the other one is told by its line", async () => {
  const { data } = await tools.call("read_document", { path: "Projects/Alpha.md", section: "Notes" });
  expect(data.note).toMatch(/at line 14: read one by start_line/);
  const other = await tools.call("read_document", { path: "Projects/Alpha.md", start_line: 14 });
  expect(other.data.content).toBe("## Notes\ntwice ^here\n");
});

it("a list of values means all of them, and the answer says how to ask for any", async () => {
  vault.write("a.md", "---\nstate: open\n---\n");
  vault.write("b.md", "---\nstate: Done\n---\n");
  const list = async (state: unknown) =>
    tools.call("list_documents", { filters: { state }, wait_for_pending_writes: true });
  const both = await list(["open", "done"]);
  expect(both).toMatchObject({ total: 0, note: expect.stringContaining('{"in": [...]}') });
  expect(await list({ in: ["open", "done"] })).toMatchObject({ total: 2, note: undefined });
  expect((await list("doen")).note).toBe('No note has state "doen"; nearest: "Done", "open".');
});
