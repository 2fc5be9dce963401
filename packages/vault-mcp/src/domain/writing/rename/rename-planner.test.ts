import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Link } from "../../links/link.ts";
import { createResolver } from "../../links/resolve-link.ts";
import type { ParseYaml } from "../../note/frontmatter.ts";
import { extensionOf } from "../../visibility.ts";
import { linksOf } from "./links-of.ts";
import { movedPath } from "./moves.ts";
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
  it("follows a name whose letters change, though a fuller folding unites them", () => {
    expect(
      plan({ "Straße.md": "x", "p.md": "[[straße]] [[Strasse]]" }, "Straße.md", "Strasse.md"),
    ).toMatchObject({
      "p.md": "[[Strasse]] [[Strasse]]",
    });
  });

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

  it("keeps a link by an alias that another file would have first then", () => {
    const files = { "a/n.md": "", "bb/m.md": "", "s.md": "[[Both]]" };
    const aliases = { "a/n.md": ["Both"], "bb/m.md": ["Both"] };
    expect(plan(files, "a/n.md", "far/away/n.md", aliases)["s.md"]).toBe("[[n]]");
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

  it("leads every link where it led before, for any vault and move", () => {
    const name = fc.constantFrom("a", "b", "A", "c d", "é", "x%20y", "p(1)", "it's");
    const folder = fc.constantFrom("", "one/", "one/two/", "Two/");
    const file = fc
      .tuple(folder, name, fc.constantFrom(".md", ".md", ".md", ".png"))
      .map((parts) => parts.join(""));
    const spelled = fc.constantFrom(
      "wiki",
      "embed",
      "inline",
      "encoded",
      "pointy",
      "relative",
      "reference",
      "short",
      "yaml",
    );
    const link = fc.tuple(fc.nat(), spelled);
    const note = fc.array(link, { maxLength: 5 });
    const vaults = fc.uniqueArray(file, {
      minLength: 2,
      maxLength: 7,
      selector: (path) => path.toLowerCase(),
    });
    fc.assert(
      fc.property(
        vaults,
        fc.array(note, { minLength: 7, maxLength: 7 }),
        fc.nat(),
        file,
        fc.boolean(),
        (paths, notes, which, to, isFolder) => {
          const from = paths[which % paths.length] ?? "";
          const move =
            isFolder && from.includes("/")
              ? { from: from.slice(0, from.indexOf("/")), to: "Moved/far" }
              : { from, to };
          const isTaken = paths.some((path) => path.toLowerCase() === move.to.toLowerCase());
          fc.pre(!isTaken && extensionOf(move.from) === extensionOf(move.to));
          const files = Object.fromEntries(
            paths.map((path, index) => [
              path,
              path.endsWith(".md") ? write(notes[index] ?? [], paths, path) : "binary",
            ]),
          );
          const planner = createRenamePlanner({ files: paths, aliases: new Map() }, move, parseYaml);
          const before = createResolver(paths);
          const after = createResolver(paths.map((path) => movedPath(move, path)));
          for (const [path, text] of Object.entries(files)) {
            if (!path.endsWith(".md")) continue;
            const rewritten = planner.rewrite(path, text);
            if (!planner.mayConcern(path, text)) expect(rewritten.text).toBe(text);
            const [old, now] = [linksOf(path, text, parseYaml), linksOf(path, rewritten.text, parseYaml)];
            expect(now.length).toBe(old.length);
            for (const [index, was] of old.entries()) {
              const is = now[index];
              const target = before.resolve(was, path).target;
              if (is === undefined || target === undefined) continue;
              if (rewritten.failed.length > 0) continue;
              expect(after.resolve(is, movedPath(move, path)).target).toBe(movedPath(move, target));
              expect([is.heading, is.alias, is.kind === "embed"]).toEqual([
                was.heading,
                was.alias,
                was.kind === "embed",
              ]);
            }
            expect(outside(rewritten.text, now)).toBe(outside(text, old));
          }
        },
      ),
      { numRuns: 400 },
    );
  });
});

/** A note with links to some of the files. */
function write(
  links: readonly (readonly [number, string])[],
  paths: readonly string[],
  source: string,
): string {
  const lines = links.map(([which, style], index) => {
    const path = paths[which % paths.length] ?? "";
    const bare = path.replace(/\.md$/, "");
    const encoded = encodeURI(path).replace(/[()]/g, (char) => (char === "(" ? "%28" : "%29"));
    const up = "../".repeat(source.split("/").length - 1);
    const forms: Record<string, string> = {
      wiki: `[[${bare}#h|x]]`,
      embed: `![[${path}]]`,
      inline: `[t](${encoded}#h "T")`,
      encoded: `[t](${encoded.replaceAll("/", "%2F")})`,
      pointy: `[t](<${path.replaceAll("%", "%25")}>)`,
      relative: `[t](${up === "" ? "./" : up}${encoded})`,
      reference: `[r${index}]\n\n[r${index}]: ${encoded}\n`,
      short: `[[${bare.slice(bare.lastIndexOf("/") + 1)}]]`,
      yaml: `\`[[${bare}]]\``,
    };
    return `text ${index} ${forms[style] ?? ""} end`;
  });
  return lines.join("\r\n\r\n");
}

/** A text without the targets of its links, and without whole wikilinks, which may become links of Markdown. */
function outside(text: string, links: readonly Link[]): string {
  const places = new Map(links.map((link) => [link.target.start, link]));
  let result = "";
  let from = 0;
  for (const { range, target, syntax } of [...places.values()].sort(
    (a, b) => a.target.start - b.target.start,
  )) {
    const cut = syntax === "reference" ? target : range;
    if (cut.start < from) continue;
    result += text.slice(from, cut.start);
    from = cut.end;
  }
  return result + text.slice(from);
}
