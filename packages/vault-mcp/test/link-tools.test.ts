import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTable } from "micromark-extension-gfm-table";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenedTools, openTools } from "./support/open-tools.ts";

const root = fileURLToPath(new URL("../../../examples/vault", import.meta.url));
const files = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
  .map((entry) => posix.join(entry.parentPath.slice(root.length + 1), entry.name));
const notes = files.filter((path) => path.endsWith(".md"));

interface SeenLink {
  readonly line: number;
  /** The vault path that it leads to; undefined where there is none. */
  readonly target: string | undefined;
}

type TreeNode = ReturnType<typeof fromMarkdown> | ReturnType<typeof fromMarkdown>["children"][number];

/** The links of a note's body as another reader of Markdown sees them, in order. */
function linksOf(path: string): SeenLink[] {
  const text = readFileSync(join(root, path), "utf8");
  const [block = ""] = /^---\n.*?\n---\n/s.exec(text) ?? [];
  // Blanked instead of cut off, so that lines stay what they are.
  const body = block.replace(/[^\n]/g, " ") + text.slice(block.length);
  const found: SeenLink[] = [];
  const visit = (node: TreeNode) => {
    const line = node.position?.start.line ?? 0;
    if ((node.type === "link" || node.type === "image") && !/^\w+:/.test(node.url)) {
      found.push({ line, target: targetOf(posix.join(dirname(path), decodeURI(node.url))) });
    }
    if (node.type === "text") {
      const start = node.position?.start.offset ?? 0;
      const source = body.slice(start, node.position?.end.offset);
      for (const { 0: whole, index } of source.matchAll(/\[\[[^\]]+\]\]/g)) {
        const target = targetOf(whole.slice(2, -2).replace(/\\?\|.*|#.*/g, ""));
        found.push({ line: body.slice(0, start + index).split("\n").length, target });
      }
    }
    if ("children" in node) for (const child of node.children) visit(child);
  };
  visit(fromMarkdown(body, { extensions: [gfmTable()] }));
  return found;
}

/** The one file of that path or name; every name in this vault is there once. */
function targetOf(name: string): string | undefined {
  return (
    files.find((path) => [path, path.replace(/\.md$/, "")].includes(name)) ??
    files.find((path) => [basename(path), basename(path, ".md")].includes(name))
  );
}

let tools: OpenedTools;
// Nothing is left beside the example.
const folder = mkdtempSync(join(tmpdir(), "vault-mcp-links-"));
beforeAll(async () => {
  tools = openTools(root, { file: join(folder, "index.sqlite") });
  await tools.call("list_documents", { wait_for_pending_writes: true });
});
afterAll(async () => {
  await tools.close();
  rmSync(folder, { recursive: true });
});

interface LinkEntry {
  readonly direction: string;
  readonly source: string;
  readonly line: number;
  readonly kind: string;
  readonly target: string;
  readonly exists: boolean;
}

const links = async (path: string, direction: string): Promise<LinkEntry[]> =>
  (await tools.call("get_links", { path, direction, limit: 500 })).entries;

describe("the links of the example vault", () => {
  it.each(notes)("of %s are those that another reader of Markdown sees", async (path) => {
    const entries = await links(path, "outlinks");
    const inBody = entries.filter(({ kind }) => kind !== "frontmatter");
    expect(inBody.map(({ line, target, exists }) => ({ line, target: exists ? target : undefined }))).toEqual(
      linksOf(path),
    );
  });

  it("are seen from both ends, and those that lead nowhere are the broken ones", async () => {
    const all = (await Promise.all(files.map((path) => links(path, "outlinks")))).flat();
    expect(all.length).toBeGreaterThan(notes.flatMap(linksOf).length - 1);
    const key = ({ source, line, target }: LinkEntry) => `${source}:${line} ${target}`;
    const back = (await Promise.all(files.map((path) => links(path, "backlinks")))).flat();
    const others = all.filter(({ exists, source, target }) => exists && source !== target);
    expect(back.map(key).sort()).toEqual(others.map(key).sort());
    const { entries } = await tools.call("check_links", { kind: "broken", limit: 500 });
    const broken = entries.map(({ path, link }: { path: string; link: LinkEntry }) =>
      key({ ...link, source: path }),
    );
    expect(broken.sort()).toEqual(
      all
        .filter(({ exists }) => !exists)
        .map(key)
        .sort(),
    );
  });
});
