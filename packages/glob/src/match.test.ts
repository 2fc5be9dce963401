import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePattern, InvalidPattern, literalPrefix, matchPaths, PatternTooCostly } from "./index.ts";

function matched(pattern: string, paths: string[]): string[] {
  return matchPaths(pattern, paths).map((index) => paths[index] ?? "");
}

describe("matchPaths", () => {
  const paths = ["a.md", "s/b.md", "s/t/c.md", "s/t/c.txt", "a/.h/x.md"];

  it.each([
    ["*.md", ["a.md", "s/b.md", "s/t/c.md", "a/.h/x.md"]],
    ["**/*.md", ["a.md", "s/b.md", "s/t/c.md", "a/.h/x.md"]],
    ["/*.md", ["a.md"]],
    ["./*.md", ["a.md"]],
    ["s/*.md", ["s/b.md"]],
    ["s/**", ["s/b.md", "s/t/c.md", "s/t/c.txt"]],
    ["s/**/*.md", ["s/b.md", "s/t/c.md"]],
    ["**/t/**", ["s/t/c.md", "s/t/c.txt"]],
    ["**", paths],
    ["?.md", ["a.md", "s/b.md", "s/t/c.md", "a/.h/x.md"]],
    ["[a-b].md", ["a.md", "s/b.md"]],
    ["[!a-b].md", ["s/t/c.md", "a/.h/x.md"]],
    ["[^a-b].md", ["s/t/c.md", "a/.h/x.md"]],
    ["c.{md,txt}", ["s/t/c.md", "s/t/c.txt"]],
    ["{s/t,a}/**/*.{md,txt}", ["s/t/c.md", "s/t/c.txt", "a/.h/x.md"]],
    ["{*.txt,s/*.md}", ["s/b.md"]],
    ["S/**", []],
    ["nothing", []],
    ["s/", []],
  ])("%s", (pattern, expected) => {
    expect(matched(pattern, paths)).toEqual(expected);
  });

  it("takes a bracket group that stands in some path for that text alone", () => {
    const files = ["Notes [2031]/a.md", "Notes 2/a.md"];
    expect(matched("Notes [2031]/*.md", files)).toEqual(["Notes [2031]/a.md"]);
    expect(matched("Notes [2031]/*.md", ["Notes 2/a.md"])).toEqual(["Notes 2/a.md"]);
  });

  it.each([
    "photo (1).jpg",
    "a+b.md",
    "!important.md",
    "@home (draft) [x].md",
    'say "hi".md',
    "{a}.md",
    "{1..3}.md",
    "[open.md",
    "x].md",
    "a|b.md",
    "^$.md",
    "日本語.md",
    "🛠️ tools.md",
    "two\nlines.md",
  ])("a name matches itself alone: %s", (name) => {
    expect(matched(name, [name, "photo 1.jpg", "ab.md", "aab.md", "1.md", "2.md"])).toEqual([name]);
  });

  it("takes what follows a backslash as it stands", () => {
    expect(matched("\\*.md", ["*.md", "a.md"])).toEqual(["*.md"]);
    expect(matched("\\{a,b\\}", ["{a,b}", "a"])).toEqual(["{a,b}"]);
  });

  it("counts characters, not UTF-16 units, for a question mark", () => {
    expect(matched("?.md", ["🌱.md", "ab.md"])).toEqual(["🌱.md"]);
  });

  it("compares in NFC on both sides", () => {
    expect(matched("Caf\u00e9*", ["Cafe\u0301.md"])).toEqual(["Cafe\u0301.md"]);
    expect(matched("Cafe\u0301*", ["Caf\u00e9.md"])).toEqual(["Caf\u00e9.md"]);
  });

  it("keeps folder/** off a file of the folder's own name", () => {
    expect(matched("a/**", ["a", "a/b"])).toEqual(["a/b"]);
  });

  it.each(["", "\0", "a\0b", "/", "./", "[z-a].md"])("refuses %j as no pattern", (pattern) => {
    expect(() => matchPaths(pattern, paths)).toThrow(InvalidPattern);
  });

  it.each([
    ["*a*a*a*a", '3 "*" in one part between slashes'],
    ["{*a,b}*a*a*a", '3 "*" in one part between slashes'],
    ["**/a/**/a/**/a/**", '3 "**"'],
    ["a".repeat(1_001), "1000 characters"],
    ["{a*,b*}{a*,b*}{a*,b*}".repeat(3).replaceAll("*", "?"), "100 ways through its braces"],
    ["{a,{b,{c,{d,{e,{f,g}}}}}}", "5 braces in each other"],
  ])("refuses %s for its cost and names the limit", (pattern, limit) => {
    expect(() => matchPaths(pattern, paths)).toThrow(PatternTooCostly);
    expect(() => matchPaths(pattern, paths)).toThrow(expect.objectContaining({ limit }));
  });

  it("counts the dearest alternative of a brace group, not all of them", () => {
    expect(matched("{*.png,*.jpg,*.gif,*.webp,*.svg}", ["a/b.gif", "c.md"])).toEqual(["a/b.gif"]);
  });

  const deepPath = `${`${"a".repeat(60)}/`.repeat(60)}b`;
  const slow = "**/*a*a*a/**/*a*a*a/**/*a*a*a/c";

  it("stops a pattern that is within its bounds but too slow", () => {
    expect(() => matchPaths(slow, Array<string>(2_000).fill(deepPath))).toThrow(
      expect.objectContaining({ name: "PatternTooCostly", limit: "250 ms of matching" }),
    );
  });

  it("goes on where it was stopped, as long as others had the processor", () => {
    const many = Array.from({ length: 100_000 }, (_, index) => `a folder/${index % 97}/note ${index}.md`);
    const clock = { passed: () => 0, worked: () => 0 };
    const found = matchPaths("**/5*/*7.md", many, { timeLimitMs: 1, clock });
    expect(found).toEqual(many.flatMap((path, index) => (/\/5[^/]*\/[^/]*7\.md$/.test(path) ? [index] : [])));
  });

  it("stops after its own work, however little of the processor it had", () => {
    const times = [0, 20, 40, 60];
    const clock = { passed: () => 0, worked: () => times.shift() ?? Number.NaN };
    expect(() => matchPaths(slow, [deepPath], { timeLimitMs: 50, clock })).toThrow(PatternTooCostly);
    expect(times).toEqual([]);
  });

  it("stops on a machine that is too busy", () => {
    let now = 0;
    const passed = () => {
      now += 100;
      return now;
    };
    const clock = { passed, worked: () => 0 };
    expect(() => matchPaths(slow, [deepPath], { timeLimitMs: 50, clock })).toThrow(PatternTooCostly);
    expect(now).toBe(500);
  });

  it("ends on the patterns that are known to be slow, by an answer or a refusal", () => {
    const name = "a".repeat(200);
    const long = `${"ab".repeat(38)}c`;
    const folders = `${"a/".repeat(100)}b`;
    for (const pattern of ["*a*a*ab", "+(ab|abab)", "*(a)*(a)*(a)b", "**/a/**/a/**/c", "((a+)+)+$"]) {
      try {
        expect(matchPaths(pattern, [name, long, folders])).toEqual([]);
      } catch (error) {
        expect(error).toBeInstanceOf(PatternTooCostly);
      }
    }
  });

  it("does not let an error of another kind pass as a costly pattern", () => {
    expect(() => matchPaths("*", [undefined as unknown as string])).toThrow(TypeError);
  });
});

describe("compilePattern", () => {
  it("decides single paths, bracket groups by each path", () => {
    const matches = compilePattern("Notes [2031]/**");
    expect(matches("Notes [2031]/a.md")).toBe(true);
    expect(matches("Notes 2/a.md")).toBe(true);
    expect(matches("Notes 4/a.md")).toBe(false);
  });
});

describe("literalPrefix", () => {
  it.each([
    ["Journal/2031/*.md", "Journal/2031/"],
    ["Journal/d*", "Journal/d"],
    ["Journal (old)/a.md", "Journal (old)/a.md"],
    ["Journal/[a]/x", "Journal/"],
    ["{a,b}/x", ""],
    ["*.md", ""],
    ["a.md", ""],
    ["/a.md", "a.md"],
    ["Cafe\u0301/*", "Caf\u00e9/"],
  ])("%s", (pattern, prefix) => {
    expect(literalPrefix(pattern)).toBe(prefix);
  });
});

describe("properties", () => {
  const name = fc
    .string({
      unit: fc.constantFrom(...'ab-.!+@()[]{},*?\\^$|"é日 🌱'.split(""), "x1"),
      minLength: 1,
      maxLength: 8,
    })
    .map((text) => text.toWellFormed().normalize("NFC"))
    .filter((text) => text !== "." && text !== "..");
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));

  it("an escaped path matches that path alone", () => {
    fc.assert(
      fc.property(path, fc.array(path, { maxLength: 5 }), (wanted, others) => {
        const pattern = `/${wanted.replace(/[\\*?[\]{},]/g, "\\$&")}`;
        const all = [...new Set([...others, wanted])];
        expect(matched(pattern, all)).toEqual([wanted]);
        expect(literalPrefix(pattern)).toBe(wanted);
      }),
      { numRuns: 500 },
    );
  });

  const atom = fc.constantFrom(
    "a",
    "b",
    ".",
    "(",
    "é",
    "🌱",
    "?",
    "*",
    "[ab]",
    "[!a]",
    "{a,b}",
    "{ab,*}",
    "+",
  );
  const segment = fc.oneof(
    {
      arbitrary: fc
        .array(atom, { minLength: 1, maxLength: 4 })
        .map((atoms) => atoms.join(""))
        .filter((text) => text !== "." && !/^\*+$/.test(text)),
      weight: 4,
    },
    { arbitrary: fc.constant("**"), weight: 1 },
  );
  const plain = fc.string({
    unit: fc.constantFrom("a", "b", ".", "(", "é", "🌱", "+"),
    minLength: 1,
    maxLength: 4,
  });
  const plainPath = fc
    .array(
      plain.filter((text) => text !== "." && text !== ".."),
      { minLength: 1, maxLength: 4 },
    )
    .map((names) => names.join("/"));

  it("agrees with a matcher written without regular expressions", () => {
    fc.assert(
      fc.property(
        fc.array(segment, { minLength: 1, maxLength: 3 }),
        fc.array(plainPath, { maxLength: 6 }),
        (segments, paths) => {
          const pattern = `/${segments.join("/")}`;
          let found: string[];
          try {
            found = matched(pattern, paths);
          } catch (error) {
            if (error instanceof PatternTooCostly) return;
            throw error;
          }
          expect({ pattern, found }).toEqual({
            pattern,
            found: paths.filter((one) => reference(segments, one.split("/"))),
          });
          const prefix = literalPrefix(pattern);
          for (const one of found) expect(one.startsWith(prefix)).toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

/** Whether names match segments, by plain recursion over single characters. */
function reference(segments: string[], names: string[]): boolean {
  const [segment, ...rest] = segments;
  if (segment === undefined) return names.length === 0;
  if (segment === "**") {
    if (rest.length === 0) return names.length > 0;
    return names.some((_, index) => reference(rest, names.slice(index))) || reference(rest, []);
  }
  const [name, ...others] = names;
  if (name === undefined) return false;
  return expand(segment).some((one) => sameName(one, Array.from(name))) && reference(rest, others);
}

function expand(segment: string): string[] {
  const braces = /\{(.*?),(.*?)\}/.exec(segment);
  if (braces === null) return [segment];
  const [all, one = "", two = ""] = braces;
  return [one, two].flatMap((text) => expand(segment.replace(all, text)));
}

function sameName(pattern: string, chars: string[]): boolean {
  const [first = "", ...rest] = pattern.startsWith("[")
    ? [pattern.slice(0, pattern.indexOf("]") + 1)]
    : Array.from(pattern);
  if (pattern === "") return chars.length === 0;
  const tail = first.startsWith("[") ? pattern.slice(first.length) : rest.join("");
  if (first === "*")
    return chars.some((_, index) => sameName(tail, chars.slice(index))) || sameName(tail, []);
  const [char, ...others] = chars;
  if (char === undefined) return false;
  const fits =
    first === "?" ||
    first === char ||
    (first === "[ab]" && "ab".includes(char)) ||
    (first === "[!a]" && char !== "a");
  return fits && sameName(tail, others);
}
