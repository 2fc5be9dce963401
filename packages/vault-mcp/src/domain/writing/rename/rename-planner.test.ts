import { describe, expect, it } from "vitest";
import type { ParseYaml } from "../../frontmatter.ts";
import { createRenamePlanner } from "./rename-planner.ts";

const parseYaml: ParseYaml = () => ({ value: {} });

function plan(
  files: Record<string, string>,
  from: string,
  to: string,
  aliases: Record<string, string[]> = {},
) {
  const planner = createRenamePlanner(
    { files: Object.keys(files), aliases: new Map(Object.entries(aliases)) },
    { from, to },
    parseYaml,
  );
  const texts = Object.entries(files).map(([path, text]) => {
    const rewritten = planner.rewrite(path, text);
    // What is not looked at closely must be what would not change.
    if (!planner.mayConcern(path, text)) expect(rewritten.changes).toEqual([]);
    return [path, rewritten.text] as const;
  });
  return Object.fromEntries(texts);
}

describe("createRenamePlanner", () => {
  it("keeps every link to a file, in its style", () => {
    expect(
      plan(
        {
          "in/idea.md": "x",
          "p.md": "[[in/idea]] ![[in/idea]] [l](in/idea.md) [[idea|I]] [[Idea#h]] `[[in/idea]]`",
          "q.md": "[t](in%2Fidea.md) [u](<in/idea.md>)",
        },
        "in/idea.md",
        "out/thought.md",
      ),
    ).toEqual({
      "in/idea.md": "x",
      "p.md":
        "[[out/thought]] ![[out/thought]] [l](out/thought.md) [[thought|I]] [[thought#h]] `[[in/idea]]`",
      "q.md": "[t](out/thought.md) [u](<out/thought.md>)",
    });
  });

  it("keeps links in what moves, and leaves those that still lead there", () => {
    const files = {
      "a/n.md": "[x](x.md) [y](../y.md) [[x]] [[y]] ![p](./p.png)",
      "a/x.md": "",
      "y.md": "",
      "a/p.png": "",
    };
    expect(plan(files, "a/n.md", "n.md")["a/n.md"]).toBe(
      "[x](a/x.md) [y](./y.md) [[x]] [[y]] ![p](./a/p.png)",
    );
    expect(plan(files, "a", "b/c")["a/n.md"]).toBe("[x](x.md) [y](../../y.md) [[x]] [[y]] ![p](./p.png)");
  });

  it("lengthens links that would lead elsewhere, and those that would become ambiguous", () => {
    const files = { "one/n.md": "1", "two/m.md": "2", "s.md": "[[n]] [[m]]" };
    expect(plan(files, "two/m.md", "two/n.md")["s.md"]).toBe("[[n]] [[two/n]]");
    expect(plan({ ...files, "two/m.md": "2" }, "two/m.md", "n.md")["s.md"]).toBe("[[one/n]] [[n]]");
  });

  it("leaves aliases and broken links as they are", () => {
    const files = { "n.md": "", "s.md": "[[AL]] [[nowhere]] [[n]]" };
    expect(plan(files, "n.md", "m.md", { "n.md": ["AL"] })["s.md"]).toBe("[[AL]] [[nowhere]] [[m]]");
  });

  it("follows a change of case where the link was written as the name", () => {
    const files = { "config.md": "", "s.md": "[[config]] [[CONFIG]] [c](config.md)" };
    expect(plan(files, "config.md", "Config.md")["s.md"]).toBe("[[Config]] [[CONFIG]] [c](Config.md)");
  });

  it("changes canvases", () => {
    const canvas =
      '{"nodes":[{"id":"1","type":"file","file":"a/n.md"},{"id":"2","type":"text","text":"see [[n]]"}]}';
    expect(plan({ "a/n.md": "", "c.canvas": canvas }, "a/n.md", "b/m.md")["c.canvas"]).toBe(
      '{"nodes":[{"id":"1","type":"file","file":"b/m.md"},{"id":"2","type":"text","text":"see [[m]]"}]}',
    );
  });
});
