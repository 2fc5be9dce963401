import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findFrontmatter } from "../note/frontmatter.ts";
import { canvasLinks } from "./canvas-links.ts";
import { extractLinks } from "./extract-links.ts";
import type { Link } from "./link.ts";
import { createResolver } from "./resolve-link.ts";
import { type RewrittenText, rewriteLinks } from "./rewrite-links.ts";

const noteLinks = (text: string) => extractLinks(text, findFrontmatter(text)?.bodyStart ?? 0);

interface Move {
  readonly text: string;
  /** Path of the note that holds the text. */
  readonly source?: string;
  readonly files: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly extract?: (text: string) => readonly Link[];
}

/** Moves a file and rewrites the links to it, as a rename does. */
function move({ text, source = "s.md", files, from, to, extract = noteLinks }: Move): RewrittenText {
  const before = createResolver([...files, source]);
  const after = createResolver([...files.filter((file) => file !== from), to, source]);
  return rewriteLinks(text, extract, (link) => {
    const found = before.resolve(link, source);
    if (found.target !== from) return undefined;
    return { source, target: to, resolver: after, via: found.via };
  });
}

function moved(
  text: string,
  from: string,
  to: string,
  others: readonly string[] = [],
  source = "s.md",
): string {
  const { text: result, failed } = move({ text, source, files: [from, ...others], from, to });
  expect(failed).toEqual([]);
  return result;
}

describe("style", () => {
  it.each([
    ["[[in/idea]] ![[in/idea]] [l](in/idea.md)", "[[out/idea]] ![[out/idea]] [l](out/idea.md)"],
    ["[[idea]]", "[[idea]]"],
    ["[[IDEA.md#h|a]]", "[[idea.md#h|a]]"],
    ["![[idea#^b]] [[ idea | x ]]", "![[idea#^b]] [[ idea | x ]]"],
    ["[l](/in/idea.md) [l](/in/idea)", "[l](/out/idea.md) [l](/out/idea)"],
    ["[l](./in/idea.md 'T')", "[l](./out/idea.md 'T')"],
    ["[l][d] [d]\n\n[d]: <in/idea.md#h> (T)", "[l][d] [d]\n\n[d]: <out/idea.md#h> (T)"],
    ["| [[in/idea\\|a]] |\n|---|", "| [[out/idea\\|a]] |\n|---|"],
    ["`[[in/idea]]` [[in/idea]]\n\n    [[in/idea]]", "`[[in/idea]]` [[out/idea]]\n\n    [[in/idea]]"],
    [
      '---\nup: "[[in/idea]]"\nb: see [[in/idea|x]]\n---\n',
      '---\nup: "[[out/idea]]"\nb: see [[out/idea|x]]\n---\n',
    ],
  ])("%s", (text, expected) => expect(moved(text, "in/idea.md", "out/idea.md")).toBe(expected));

  it.each([
    ["[t](b%5B1%5D.md) [u](<b[1].md>) [[b[1]]]", "b[1].md", "c.md", "[t](c.md) [u](<c.md>) [[c]]"],
    ["See [Bra\\]c](old.md)", "old.md", "new.md", "See [Bra\\]c](new.md)"],
    ["[a](x%20y.md) [a](<x y.md>)", "x y.md", "é (1) z.md", "[a](é%20(1)%20z.md) [a](<é (1) z.md>)"],
    ["[a](%C3%A9.md)", "é.md", "ü.md", "[a](%C3%BC.md)"],
    ["[a](x\\(1\\).md)", "x(1).md", "y(2.md", "[a](y\\(2.md)"],
    ["[a](x.md)", "x.md", "y(2.md", "[a](y%282.md)"],
    ["[a](x.md#h)", "x.md", "50% C# a|b <c>.md", "[a](50%25%20C%23%20a%7Cb%20%3Cc%3E.md#h)"],
    ["[a](x.md)", "x.md", "AT&amp;T.md", "[a](AT%26amp;T.md)"],
    ["[a](x.md)", "x.md", "R&D.md", "[a](R&D.md)"],
    ["[a](x.md)", "x.md", "re: y.md", "[a](re%3A%20y.md)"],
    ["[[x]] ![[x#h|b]]", "x.md", "C# [[y]].md", "[x](C%23%20%5B%5By%5D%5D) ![b](C%23%20%5B%5By%5D%5D#h)"],
    ["![[x.png]]", "x.png", "y.png", "![[y.png]]"],
    [
      "---\na: 'it''s [[x]]'\nb: \"[[x]]\"\n---\n",
      "x.md",
      'y\'s "é".md',
      "---\na: 'it''s [[y''s \"é\"]]'\nb: \"[[y's \\\"é\\\"]]\"\n---\n",
    ],
  ])("%s", (text, from, to, expected) => expect(moved(text, from, to)).toBe(expected));
});

describe("length", () => {
  it("is as short as it was where that stays unambiguous", () => {
    expect(moved("[[a]]", "f/a.md", "g/h/b.md")).toBe("[[b]]");
    expect(moved("[[a]]", "f/a.md", "g/h/b.md", ["b.md"])).toBe("[[h/b]]");
    expect(moved("[[a]]", "f/a.md", "g/h/b.md", ["x/h/b.md"])).toBe("[[g/h/b]]");
    expect(moved("[[f/a]]", "f/a.md", "g/h/b.md")).toBe("[[h/b]]");
    expect(moved("[[a]]", "f/a.md", "b.md", ["f/b.md"])).toBe("[[b]]");
  });

  it("stays relative where a Markdown link was", () => {
    expect(moved("[a](a.md)", "f/a.md", "f/g/b.md", [], "f/s.md")).toBe("[a](g/b.md)");
    expect(moved("[a](a.md)", "f/a.md", "g/b.md", [], "f/s.md")).toBe("[a](../g/b.md)");
    expect(moved("[a](a.md)", "f/a.md", "f/b.md", ["b.md"], "f/s.md")).toBe("[a](b.md)");
    expect(moved("[a](a.md)", "f/a.md", "b.md", ["f/b.md"], "f/s.md")).toBe("[a](../b.md)");
    expect(moved("[[./a]]", "f/a.md", "g/b.md", [], "f/s.md")).toBe("[[../g/b]]");
  });

  it("keeps the extension where the name alone is another file's", () => {
    expect(moved("[[a]]", "a.md", "b.png.md", ["b.png"])).toBe("[[b.png.md]]");
  });
});

it("rewrites the nodes of a canvas", () => {
  const text = '{"nodes":[{"type":"file","file":"a.md"},{"type":"text","text":"\\"[[a|x]]\\"\\n[l](a.md)"}]}';
  const extract = (canvas: string) => canvasLinks(canvas).links;
  const result = move({ text, source: "c.canvas", files: ["a.md"], from: "a.md", to: 'f/b "c".md', extract });
  expect(result.failed).toEqual([]);
  expect(JSON.parse(result.text).nodes).toEqual([
    { type: "file", file: 'f/b "c".md' },
    { type: "text", text: '"[[b "c"|x]]"\n[l](b%20"c".md)' },
  ]);
});

describe("what cannot be written", () => {
  it("leaves a plain text of YAML whose end the name would be", () => {
    const text = "---\na: see [[x]]\n---\n[[x]]";
    const { text: result, failed, changed } = move({ text, files: ["x.md"], from: "x.md", to: "y: z.md" });
    expect(result).toBe("---\na: see [x](y%3A%20z)\n---\n[[y: z]]");
    expect([failed.length, changed.length]).toEqual([0, 2]);
  });

  it("takes another way where the text around the name would swallow the link", () => {
    const text = "a ` b [[x]] c [[x|d]]";
    const { text: result, failed } = move({ text, files: ["x.md"], from: "x.md", to: "y`z.md" });
    expect(failed).toEqual([]);
    expect(result).toBe("a ` b [x](y%60z) c [d](y%60z)");
  });
});

const files = ["a.md", "f/a.md", "f/b c.md", "g/d(1).md", "e[1].md", "é.md", "v1.2.md", "i.png", "h/100%.md"];
const target = fc.constantFrom(...files);
const newName = fc
  .tuple(
    fc.constantFrom("", "f/", "g/h/", "a b/"),
    fc.array(
      fc.constantFrom(
        ...("ab é()[]#%&'\"`$|<>{}^!,;:\\~*_😀-+=@.".match(/./gu) ?? []),
        "%%",
        "%20",
        "&amp;",
        "[[",
        "]]",
        "$$",
      ),
      {
        minLength: 1,
        maxLength: 6,
      },
    ),
  )
  .map(([folder, parts]) => `${folder}${parts.join("").trim()}`)
  .filter((path) => !/(?:^|\/)\.*$/.test(path));
const noise = fc.constantFrom(
  " ",
  "\n",
  "\n\n",
  "text",
  "`",
  "``",
  "$",
  "%%",
  "*",
  "<!-- ",
  " -->",
  "\\",
  "[",
  "]",
  "> ",
  "- ",
  "```\n",
  "\n# ",
  "| ",
  "$5",
  "<b>",
  "&",
);
const style = fc.constantFrom<(path: string) => string>(
  (path) => `[[${path.replace(/\.md$/, "")}]]`,
  (path) => `[[${path}#h|alias]]`,
  (path) => `![[${path.slice(path.lastIndexOf("/") + 1)}]]`,
  (path) => `[label](<${path}> "t")`,
  (path) => `[label](${encodeURIComponent(path).replaceAll("%2F", "/").replace(/[()]/g, "\\$&")}#^id)`,
  (path) => `![](/${encodeURI(path).replaceAll("(", "%28").replaceAll(")", "%29").replaceAll("[", "%5B")})`,
  (path) => `\n\n[ref]: <./${path}>\n\n[ref] [x][ref]`,
);
const text = fc
  .tuple(
    fc.constantFrom("", "---\nup: \"[[f/a]]\"\nb: see [[a]]\nc: '[x](i.png)'\n---\n"),
    fc.array(
      fc.oneof(
        noise,
        fc.tuple(style, target).map(([write, path]) => write(path)),
      ),
      { maxLength: 12 },
    ),
  )
  .map(([block, parts]) => block + parts.join(""));

describe("whatever the text and the names", () => {
  it("leads every changed link to the new target, and leaves every other character", () => {
    fc.assert(
      fc.property(text, target, newName, (original, from, name) => {
        const to = from.endsWith(".png") ? `${name}.png` : `${name}.md`;
        fc.pre(!files.includes(to));
        const before = createResolver(files);
        const after = createResolver([...files.filter((file) => file !== from), to]);
        const links = noteLinks(original);
        const wanted = links.filter(
          (link) => link.path !== "" && before.resolve(link, "s.md").target === from,
        );
        const result = move({ text: original, files, from, to });

        const isIn = (list: readonly Link[], link: Link) =>
          list.some(({ range }) => range.start === link.range.start);
        const touched = links.filter((link) => isIn(result.changed, link) || isIn(result.failed, link));
        expect(touched).toEqual(wanted);
        const found = noteLinks(result.text);
        expect(found).toHaveLength(links.length);
        for (const [index, link] of found.entries()) {
          const old = links[index];
          if (old === undefined || isIn(result.failed, old)) continue;
          if (isIn(result.changed, old)) expect(after.resolve(link, "s.md").target).toBe(to);
          else expect(link.path).toBe(old.path);
          expect([link.heading, link.block]).toEqual([old.heading, old.block]);
        }
        expect(outside(result.text, found)).toBe(outside(original, links));
      }),
      { numRuns: Number(process.env.REWRITE_RUNS ?? 800) },
    );
  });
});

/** The text with the paths of its links left out; where a wikilink became a Markdown link, without the link. */
function outside(original: string, links: readonly Link[]): string {
  const ranges = new Map(
    links.map((link) => {
      const range = link.syntax === "reference" ? link.pathRange : link.range;
      return [range.start, range] as const;
    }),
  );
  let rest = "";
  let from = 0;
  for (const { start, end } of [...ranges.values()].sort((a, b) => a.start - b.start)) {
    if (start < from) continue;
    rest += `${original.slice(from, start)}\0`;
    from = end;
  }
  return rest + original.slice(from);
}
