import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filledIndex } from "../../../../test/support/filled-index.ts";
import type { CheckKind, LinkDirection, LinkPosition } from "../../../domain/graph/vault-graph.ts";
import { SqliteGraph } from "./sqlite-graph.ts";

const signal = new AbortController().signal;

describe("links over SQLite", () => {
  let filled: Awaited<ReturnType<typeof filledIndex>>;
  let graph: SqliteGraph;
  beforeAll(async () => {
    filled = await filledIndex({
      "notes/Deep.md": "---\naliases: [Down]\nup: '[[Home]]'\n---\n[[#Part]] [[Deep]]\n# Part",
      "journal/d.md": "[[Deep]] and [[down|the alias]]\n![[img.png]] [t](../notes/Deep.md#Part) [[Nowhere]]",
      "Home.md": "| [[notes/Deep\\|Deep]] | [x](https://example.org) |\n`[[Deep]]` [[README]]",
      "x/README.md": "",
      "y/README.md": "[[LOG]]",
      "Log.md": "[[Log.MD]]",
      "img.png": "",
      "unused.png": "",
      "Alone.md": "no links, [[#here]]\n# Here",
      "Broken only.md": "[[Void]]",
    });
    graph = new SqliteGraph(filled.connection);
  });
  afterAll(() => filled.dispose());

  const links = async (path: string, ...directions: LinkDirection[]) => {
    const page = await graph.links({ path, directions, after: undefined, limit: 100 }, signal);
    return page?.links.map(
      ({ link }) => `${link.source}:${link.line} ${link.kind} ${link.text} > ${link.target}`,
    );
  };
  const check = async (kind: CheckKind, folder?: string) =>
    (await graph.check({ kind, folder, after: undefined, limit: 100 }, signal)).found.map(({ path, link }) =>
      link === undefined ? path : `${path}:${link.line} ${link.target}`,
    );

  it("gives the links to a note, however they name it", async () => {
    expect(await links("notes/Deep.md", "backlinks")).toEqual([
      "Home.md:1 wikilink Deep > notes/Deep.md",
      "journal/d.md:1 wikilink Deep > notes/Deep.md",
      "journal/d.md:1 wikilink the alias > notes/Deep.md",
      "journal/d.md:2 markdown t > notes/Deep.md",
    ]);
  });

  it("tells what is linked most, by documents and not by links, those of a document to itself aside", async () => {
    const linked = async (limit: number, folder?: string) =>
      (await graph.check({ kind: "most_linked", folder, after: undefined, limit }, signal)).found;
    expect(await linked(100)).toEqual([
      { path: "notes/Deep.md", backlinks: 2, link: undefined },
      { path: "Home.md", backlinks: 1, link: undefined },
      { path: "Log.md", backlinks: 1, link: undefined },
      { path: "img.png", backlinks: 1, link: undefined },
      { path: "x/README.md", backlinks: 1, link: undefined },
    ]);
    expect((await linked(1)).map(({ path }) => path)).toEqual(["notes/Deep.md"]);
    expect((await linked(9, "x")).map(({ path }) => path)).toEqual(["x/README.md"]);
  });

  it("gives the links of a note, also those to attachments and to nothing", async () => {
    expect(await links("journal/d.md", "outlinks")).toEqual([
      "journal/d.md:1 wikilink Deep > notes/Deep.md",
      "journal/d.md:1 wikilink the alias > notes/Deep.md",
      "journal/d.md:2 embed img.png > img.png",
      "journal/d.md:2 markdown t > notes/Deep.md",
      "journal/d.md:2 wikilink Nowhere > Nowhere.md",
    ]);
    expect(await links("img.png", "backlinks")).toEqual(["journal/d.md:2 embed img.png > img.png"]);
    expect(await links("Home.md", "backlinks")).toEqual(["notes/Deep.md:3 frontmatter Home > Home.md"]);
    expect(await links("nothing.md", "outlinks")).toBeUndefined();
  });

  it("checks what is broken, alone or ambiguous", async () => {
    expect(await check("broken")).toEqual(["Broken only.md:1 Void.md", "journal/d.md:2 Nowhere.md"]);
    expect(await check("broken", "journal")).toEqual(["journal/d.md:2 Nowhere.md"]);
    expect(await check("orphans")).toEqual(["Alone.md", "unused.png"]);
    expect(await check("ambiguous")).toEqual(["Home.md:2 x/README.md"]);
  });

  it("follows files that come and go", async () => {
    await filled.add({ "Nowhere.md": "", "Void.md": "---\naliases: Down\n---\n" });
    expect(await check("broken")).toEqual([]);
    expect(await links("Void.md", "backlinks")).toEqual([
      "Broken only.md:1 wikilink Void > Void.md",
      // Of two notes with an alias, the one with the shorter path.
      "journal/d.md:1 wikilink the alias > Void.md",
    ]);
    expect(await check("ambiguous")).toContain("journal/d.md:1 Void.md");
  });

  it("checks for headings and blocks that a note does not have", async () => {
    const { connection, dispose } = await filledIndex({
      "Target.md": "# A & *B*\n\n## Étude\n\ntext ^id-1\n\n<a id='spot'></a>\n[[#A B]] [[#C]] [[#^id-2]]",
      "good.md":
        "[[Target#a b]] [[Target#A & B#étude]] [[target#^ID-1]] [x](Target.md#%C3%A9tude) [y](Target.md#spot)",
      "bad.md": "[[Target#Z]]\n![[Target#^id-9]]\n[x](Target.md#nowhere)\n[[Missing#Z]]",
      "more.md": "[[p.pdf#page=3]] [[Target]]",
      "p.pdf": "",
    });
    try {
      const checked = await new SqliteGraph(connection).check(
        { kind: "broken", folder: undefined, after: undefined, limit: 100 },
        signal,
      );
      const told = checked.found.map(({ path, link }) => {
        const fragment = link?.block === undefined ? link?.heading : `^${link.block}`;
        return `${path}:${link?.line} ${link?.target}#${fragment} ${link?.exists}`;
      });
      expect(told).toEqual([
        "Target.md:8 Target.md#C true",
        "Target.md:8 Target.md#^id-2 true",
        "bad.md:1 Target.md#Z true",
        "bad.md:2 Target.md#^id-9 true",
        "bad.md:3 Target.md#nowhere true",
        "bad.md:4 Missing.md#Z false",
      ]);
      expect(checked.total).toBe(6);
    } finally {
      dispose();
    }
  });

  it("continues after a position", async () => {
    const seen: string[] = [];
    let after: LinkPosition | undefined;
    for (;;) {
      const directions = ["outlinks", "backlinks"] as const;
      const page = await graph.links({ path: "notes/Deep.md", directions, after, limit: 2 }, signal);
      seen.push(...(page?.links.map(({ link }) => `${link.source}:${link.text}`) ?? []));
      after = page?.links.at(-1)?.position;
      if (page?.more !== true) break;
    }
    expect(seen).toHaveLength(5);
    expect(new Set(seen).size).toBe(5);
  });
});
