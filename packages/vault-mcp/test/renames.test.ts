import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { loadYamlParser } from "../src/adapters/load-yaml-parser.ts";
import { deleteDocument } from "../src/domain/writing/delete-document.ts";
import { findBrokenLinks } from "../src/domain/writing/rename/find-broken-links.ts";
import { planRename } from "../src/domain/writing/rename/plan-rename.ts";
import type { RenameFiles } from "../src/domain/writing/rename/rename-files.ts";
import { renamePath } from "../src/domain/writing/rename/rename-path.ts";
import type { VaultDeps } from "../src/tools/define.ts";
import { openTools } from "./support/open-tools.ts";
import { temporaryVault } from "./support/temporary-vault.ts";

const example = fileURLToPath(new URL("../../../examples/vault", import.meta.url));
const { signal } = new AbortController();
const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

function opened(files: Record<string, string>, from?: string) {
  const vault = temporaryVault(files);
  if (from !== undefined) cpSync(from, vault.root, { recursive: true });
  const tools = openTools(vault.root);
  cleanUps.push(async () => {
    await tools.close();
    vault.dispose();
  });
  return { vault, ...tools };
}

/** Plans with the index and by reading everything, at the same time the texts that were read. */
async function planBoth({ renames, links }: VaultDeps, from: string, to: string) {
  const parseYaml = await loadYamlParser();
  const read: string[] = [];
  const counting: RenameFiles = {
    ...renames,
    readContent: (path) => {
      read.push(path);
      return renames.readContent(path);
    },
  };
  const move = { from, to };
  const options = { parseYaml, signal, progress: () => {} };
  const [quick, whole] = [
    await planRename(counting, move, { ...options, index: links }),
    await planRename(renames, move, options),
  ];
  const shown = (plan: typeof quick) => ({
    files: plan.files
      .map(({ path, after, changes }) => ({ path, after: after.toString(), changes }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
    failed: [...plan.failed].sort((a, b) => (a.path < b.path ? -1 : 1)),
  });
  return { quick: shown(quick), whole: shown(whole), read };
}

/** Names that mean something else elsewhere, in every way that a link can be written. */
const tangled = {
  "a/Note.md": "---\naliases: [Call me, Other]\n---\n[[note]] [x](../b/note.md) ![[pic.png]]",
  "b/note.md": "---\nalias: Call me\nup: '[[a/Note]]'\n---\n",
  "Note 2.md": "[[Note|n]] [p](a%2FNote.md) [q](<b/note.md>) [e](a/N&#111;te.md) [[call ME]]",
  "c/deep/Call me else.md": "[[Other]] [[c/deep/Call me else]] [r][r]\n\n[r]: ../../a/Note.md#h",
  "c/board.canvas": JSON.stringify({ nodes: [{ id: "1", type: "file", file: "a/Note.md" }], edges: [] }),
  "c/pic.png": "p",
  "pic.png": "p",
  "broken.md": '---\nx: "[[Note]]\n---\n[[Note]] [[pic.png]]',
  "café.md": "[[Cafe\u0301]]",
  "uses.md": "[[café]] `[[Note]]` [[missing]]",
};

describe("a rename that knows the links", () => {
  it.each([
    ["a/Note.md", "a/Thing.md"],
    ["a/Note.md", "z/long/path/Note.md"],
    ["b/note.md", "Call me.md"],
    ["b/note.md", "zz/very/long/way/down/note.md"],
    ["a", "x/a"],
    ["c", "Note"],
    ["c/pic.png", "d/pic.png"],
    ["Note 2.md", "missing.md"],
    ["café.md", "Café.md"],
    ["uses.md", "Note 3.md"],
    ["c/board.canvas", "board.canvas"],
  ])("plans for %s to %s what a look at every text gives", async (from, to) => {
    const { deps } = opened(tangled);
    const { quick, whole } = await planBoth(deps, from, to);
    expect(quick).toEqual(whole);
  });

  it("plans so for everything in the example vault", async () => {
    const { deps, vault } = opened({}, example);
    const all = readdirSync(vault.root, { recursive: true }).map(String);
    for (const path of all.filter((one) => !one.startsWith("."))) {
      const name = path.slice(path.lastIndexOf("/") + 1);
      for (const to of [`Elsewhere/${name}`, `${path.slice(0, -name.length)}Renamed ${name}`]) {
        const { quick, whole } = await planBoth(deps, path, to);
        expect(quick, `${path} to ${to}`).toEqual(whole);
      }
    }
  });

  it("reads no text without such a link, and misses none that came a moment ago", async () => {
    const others = Array.from({ length: 50 }, (_, index) => [`n${index}.md`, `[[n${index + 1}]] words`]);
    const { deps, vault } = opened({ ...Object.fromEntries(others), "t.md": "[[n1]]", "u.md": "no link" });
    expect((await planBoth(deps, "t.md", "t2.md")).read).toEqual(["t.md"]);
    vault.write("u.md", "one link: [[t]]");
    const { quick, read } = await planBoth(deps, "t.md", "t2.md");
    expect(read.sort()).toEqual(["t.md", "u.md"]);
    expect(quick.files).toMatchObject([{ path: "u.md", after: "one link: [[t2]]" }]);
  });

  it("reads everything while the index does not hold the vault yet", async () => {
    const { deps, vault } = opened({ "t.md": "", "u.md": "[[t]]" });
    const early = { ...deps, links: { current: async () => undefined, sources: async () => [] } };
    const request = { path: "t.md", newPath: "t2.md", updateLinks: true, dryRun: false };
    await renamePath(early, request, signal, () => {});
    expect(readFileSync(join(vault.root, "u.md"), "utf8")).toBe("[[t2]]");
    expect((await deleteDocument(early, "t2.md", undefined, signal)).brokenLinks).toHaveLength(1);
  });

  it("lists the same broken links of a deletion as a look at every text", async () => {
    const { deps } = opened(tangled);
    const parseYaml = await loadYamlParser();
    const files = await deps.renames.scan(signal);
    for (const { path } of files) {
      const [quick, whole] = [
        await findBrokenLinks(deps.renames, path, { parseYaml, signal, index: deps.links }),
        await findBrokenLinks(deps.renames, path, { parseYaml, signal }),
      ];
      const sorted = (links: typeof quick) => links.map((link) => JSON.stringify(link)).sort();
      expect(sorted(quick), path).toEqual(sorted(whole));
    }
  });
});

describe("a rename whose time is up", () => {
  const linking = Array.from({ length: 30 }, (_, index) => [`n${index}.md`, "[[t]]"]);
  const request = { path: "t.md", newPath: "t2.md", updateLinks: true, dryRun: false };

  it("is carried through, and its answer tells how far it is", async () => {
    const { deps, vault } = opened({ ...Object.fromEntries(linking), "t.md": "" });
    const stop = new AbortController();
    const progress = (done: number, total: number) => {
      if (done === total - 20) stop.abort(new Error("time is up"));
    };
    const { renamed, files, notes } = await renamePath(deps, request, stop.signal, progress);
    expect(renamed).toBe(true);
    expect(files.length).toBeGreaterThan(0);
    for (const { path, after } of files) expect(readFileSync(join(vault.root, path), "utf8")).toBe(after);
    expect(notes.join()).toMatch(/links in \d+ more files are still being changed/);
    // The next turn comes when all is done.
    await deps.files.exclusively(signal, async () => {});
    for (const [path] of linking) expect(readFileSync(join(vault.root, path ?? ""), "utf8")).toBe("[[t2]]");
  });

  it("has done nothing where it was not at its new path yet", async () => {
    const { deps, vault } = opened({ ...Object.fromEntries(linking), "t.md": "" });
    const stop = new AbortController();
    const renames: RenameFiles = {
      ...deps.renames,
      move: (...args) => {
        stop.abort(new Error("time is up"));
        return deps.renames.move(...args);
      },
    };
    await expect(renamePath({ ...deps, renames }, request, stop.signal, () => {})).rejects.toThrow(
      "time is up",
    );
    expect(readdirSync(vault.root).sort()).toEqual([...linking.map(([path]) => path), "t.md"].sort());
    expect(readFileSync(join(vault.root, "n0.md"), "utf8")).toBe("[[t]]");
  });
});
