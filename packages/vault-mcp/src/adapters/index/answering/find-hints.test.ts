import { afterAll, beforeAll, expect, it } from "vitest";
import { writtenIndex } from "../../../../test/support/written-index.ts";
import { parseFilters } from "../../../domain/listing/filters.ts";
import { everything, type ListQuery } from "../../../domain/listing/listing.ts";

type Index = Awaited<ReturnType<typeof writtenIndex>>;

let plain: Index;
let bundle: Index;
beforeAll(async () => {
  [plain, bundle] = [await writtenIndex("off"), await writtenIndex("on")];
  for (const index of [plain, bundle]) {
    await index.put("a.md", "---\nStatus: x\nouter: {inner: 1}\n---\n#project/garden");
    await index.put("b/c.md", "---\nempty:\n---\n");
    await index.addFolder("Caf\u00e9");
  }
});
afterAll(() => {
  plain.dispose();
  bundle.dispose();
});

async function hints(asked: Partial<ListQuery>, index = plain) {
  const query: ListQuery = {
    ...everything,
    includeAttachments: false,
    order: { key: "path", descending: false },
    ...asked,
  };
  return (await index.list({ query, after: undefined, walk: undefined, limit: 1 })).hints;
}

it("says nothing of what is there", async () => {
  for (const folder of [undefined, "", "b", "Cafe\u0301"]) expect(await hints({ folder })).toEqual([]);
  const conditions = parseFilters({ Status: "X", "outer.inner": "1", empty: null });
  expect(await hints({ conditions })).toEqual([]);
  expect(await hints({ tags: ["project", "PROJECT/Garden"] })).toEqual([]);
});

it("names what is near to what is not", async () => {
  expect(await hints({ folder: "Cafe" })).toMatchObject([{ kind: "folder", nearest: ["Caf\u00e9"] }]);
  expect(await hints({ conditions: parseFilters({ status: "x" }) })).toMatchObject([
    { kind: "key", nearest: ["Status"] },
  ]);
  expect(await hints({ conditions: parseFilters({ "outer.iner": 1 }) })).toMatchObject([
    { nearest: expect.arrayContaining(["outer.inner"]) },
  ]);
  expect(await hints({ tags: ["projekt"] })).toMatchObject([{ kind: "tag", nearest: ["project"] }]);
});

it("names nothing from outside of the folders that a caller may see", async () => {
  const within = ["b"];
  expect(await hints({ within, folder: "Cafe" })).toMatchObject([{ nearest: [] }]);
  expect(await hints({ within, conditions: parseFilters({ Status: "x" }) })).toMatchObject([
    { kind: "key", nearest: [] },
  ]);
  expect(await hints({ within, conditions: parseFilters({ empti: "x" }) })).toMatchObject([
    { nearest: ["empty"] },
  ]);
  expect(await hints({ within, tags: ["project"] })).toMatchObject([{ kind: "tag", nearest: [] }]);
});

it("knows the keys of a bundle, and which values they have", async () => {
  expect(await hints({ conditions: parseFilters({ status: "stable" }) }, bundle)).toEqual([]);
  expect(await hints({ conditions: parseFilters({ trust_tier: "human" }) }, bundle)).toEqual([
    { kind: "value", key: "trust_tier", name: "human", nearest: ["unverified"], complete: true },
  ]);
});

it("names values like one that no note has, and tells values that never come together", async () => {
  const conditions = parseFilters({ Status: "y", owner: "Ann", kind: ["A", "b"], n: 5, of: "x" });
  const index = await writtenIndex("off");
  await index.put("a.md", "---\nStatus: x\nowner: '[[Ann Lee]]'\nkind: a\nn: '5'\nof: {parts: 1}\n---\n");
  await index.put("b.md", "---\nkind: B\n---\n");
  expect(await hints({ conditions }, index)).toEqual([
    { kind: "value", key: "Status", name: "y", nearest: [], complete: false },
    { kind: "value", key: "owner", name: "ann", nearest: ["[[Ann Lee]]"], complete: false },
    { kind: "together", key: "kind" },
    { kind: "value", key: "of", name: "x", nearest: [], complete: false },
  ]);
  expect(await hints({ conditions, within: ["b"] }, index)).not.toContainEqual(
    expect.objectContaining({ kind: "value" }),
  );
  index.dispose();
});

it("says where only attachments lie, or nothing", async () => {
  const index = await writtenIndex("off");
  await index.put("notes/a.md", "");
  await index.putAttachment("files/b.pdf");
  for (const folder of ["notes", "files"]) await index.addFolder(folder);
  const attachments = [{ kind: "attachments" }];
  expect(await hints({ folder: "files" }, index)).toEqual(attachments);
  expect(await hints({ pattern: "*.pdf" }, index)).toEqual(attachments);
  expect(await hints({ pattern: "*.pdf", includeAttachments: true }, index)).toEqual([]);
  expect(await hints({ pattern: "*.md" }, index)).toEqual([]);
  expect(await hints({ folder: "" }, index)).toEqual([{ kind: "root" }]);
  expect(await hints({ folder: "", includeAttachments: true }, index)).toEqual([]);
  expect(await hints({ folder: "notes", pattern: "x*" }, index)).toEqual([]);
  index.dispose();
});

it("names what a pattern that fits nothing was perhaps meant for", async () => {
  const index = await writtenIndex("off");
  await index.put("Journal/Plan.md", "");
  await index.addFolder("Journal");
  const nearTo = async (pattern: string, more: Partial<ListQuery> = {}) => {
    const [hint, ...others] = await hints({ pattern, ...more }, index);
    expect(others).toEqual([]);
    return hint?.kind === "pattern" ? hint.nearest : hint;
  };
  expect(await nearTo("*plan*")).toEqual(["Journal/Plan.md"]);
  expect(await nearTo("journal/*")).toEqual(["Journal/Plan.md"]);
  expect(await nearTo("Jornal/**")).toEqual(["Journal"]);
  expect(await nearTo("Journal")).toEqual(["Journal"]);
  expect(await nearTo("plam.md")).toEqual(["Journal/Plan.md"]);
  expect(await nearTo("zebra*")).toEqual([]);
  expect(await nearTo("*plan*", { within: ["Other"] })).toEqual([]);
  index.dispose();
});
