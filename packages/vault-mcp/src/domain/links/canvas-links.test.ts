import { describe, expect, it } from "vitest";
import { canvasLinks } from "./canvas-links.ts";

const canvas = `{
\t"nodes":[
\t\t{"id":"1","type":"file","file":"a/b \\u00e9\\".md","subpath":"#Part","x":0,"y":0},
\t\t{"id":"2","type":"text","text":"See [[c|d]]\\n\\n\`[[no]]\` \\u0022 [e](f%20g.md#h)","x":0},
\t\t{"id":"3","type":"link","url":"https://x.org","file":"no.md"},
\t\t{"id":"4","type":"group","label":"[[no]]","extra":{"file":"no.md","text":"[[no]]"}},
\t\t{"id":"5","type":"file","file":"i.png"}
\t],
\t"edges":[{"id":"e","fromNode":"1","toNode":"2","label":"[[no]]","text":"[[no]]"}]
}`;

describe("canvasLinks", () => {
  it("finds file nodes and the links in text nodes, with their places", () => {
    const { links, problem } = canvasLinks(canvas);
    expect(problem).toBeUndefined();
    const found = links.map(({ key, path, heading, line, pathRange, range }) => [
      key,
      path,
      heading,
      line,
      canvas.slice(pathRange.start, pathRange.end),
      canvas.slice(range.start, range.end),
    ]);
    expect(found).toEqual([
      ["1", 'a/b é".md', "Part", 3, 'a/b \\u00e9\\".md', 'a/b \\u00e9\\".md'],
      ["2", "c", undefined, 4, "c", "[[c|d]]"],
      ["2", "f g.md", "h", 4, "f%20g.md", "[e](f%20g.md#h)"],
      ["5", "i.png", undefined, 7, "i.png", "i.png"],
    ]);
    expect(new Set(links.map(({ kind }) => kind))).toEqual(new Set(["canvas"]));
  });

  it.each(["", " \n", "{}", '{"nodes":[]}', '{"nodes":[null,1,"file"]}', "[]", "\ufeff{}"])(
    "finds none in %j",
    (text) => {
      expect(canvasLinks(text)).toEqual({ links: [], problem: undefined });
    },
  );

  it.each(['{"nodes":[{"file":"a.md"', "[[a]]", '{"nodes":{}}'])("says what is wrong with %j", (text) => {
    const { links, problem } = canvasLinks(text);
    expect(links).toEqual([]);
    expect(problem).toBeTypeOf("string");
  });

  it("is not led astray by deep nesting", () => {
    const deep = `{"x":${"[".repeat(2000)}${"]".repeat(2000)},"nodes":[{"type":"file","file":"a.md"}]}`;
    expect(canvasLinks(deep).links.map(({ path }) => path)).toEqual(["a.md"]);
  });
});
