import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readFrontmatter } from "../domain/note/frontmatter.ts";
import { createYamlParser } from "./yaml-frontmatter.ts";

const parseYaml = createYamlParser();
const read = (text: string) => readFrontmatter(text, parseYaml);
const scalarOf = (yaml: string) => read(`---\nv: ${yaml}\n---\n`).data.v;

describe("values", () => {
  it.each([
    ["5", 5],
    ["-3", -3],
    ["1.5", 1.5],
    ["0", 0],
    ["1e+21", 1e21],
    ["true", true],
    ["false", false],
    ["null", null],
    ["~", null],
    ["", null],
    ["2031-02-03", "2031-02-03"],
    ["2031-02-03 10:20:30", "2031-02-03 10:20:30"],
    ["2031-02-03T10:20:30Z", "2031-02-03T10:20:30Z"],
    ["12:30", "12:30"],
    ["0123", "0123"],
    ["0x1F", "0x1F"],
    ["0o17", "0o17"],
    ["1_000", "1_000"],
    ["1.10", "1.10"],
    ["+1", "+1"],
    ["-0", "-0"],
    [".5", ".5"],
    [".inf", ".inf"],
    ["NaN", "NaN"],
    ["Infinity", "Infinity"],
    ["9007199254740993", "9007199254740993"],
    ["yes", "yes"],
    ["on", "on"],
    ["True", "True"],
    ["NULL", "NULL"],
    ['"5"', "5"],
    ["'true'", "true"],
    ["[[Home]]", [["Home"]]],
    ["[a, 1, true]", ["a", 1, true]],
    ["{a: 1.10}", { a: "1.10" }],
    ["<<", "<<"],
    ["=", "="],
  ])("%s is %j", (yaml, value) => {
    expect(scalarOf(yaml)).toEqual(value);
  });

  it("keeps merge keys and keys of JavaScript's own as plain keys", () => {
    const { data } = read(
      "---\nbase: &b {x: 1}\nother:\n  <<: *b\n__proto__: {polluted: 1}\nconstructor: c\n---\n",
    );
    expect(data.other).toEqual({ "<<": { x: 1 } });
    expect(Object.keys(data)).toEqual(["base", "other", "__proto__", "constructor"]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it("gives each note values of its own, the same at each reading", () => {
    const text = "---\na: {b: 1}\n---\nZ";
    const first = read(text).data as { a: { b: number } };
    first.a.b = 2;
    expect(read(text).data).toEqual({ a: { b: 1 } });
    const broken = '---\nt: "open\n---\nx';
    expect(read(broken)).toEqual(read(broken));
    expect(read(broken).error).toBeDefined();
  });
});

describe("blocks", () => {
  it.each([
    ["one line of dashes", "---\nSome text", {}, "---\nSome text"],
    ["a rule at the top", "---\n\ntext\n", {}, "---\n\ntext\n"],
    ["rules in the body", "---\na: 1\n---\none\n\n---\n\ntwo\n", { a: 1 }, "one\n\n---\n\ntwo\n"],
    ["a byte order mark and CRLF", "\ufeff---\r\na: 1\r\n---\r\nx\r\n", { a: 1 }, "x\r\n"],
    ["CR alone", "---\ra: 1\r---\rx\r", { a: 1 }, "x\r"],
    ["spaces after the dashes", "--- \na: 1\n---\t\nx", { a: 1 }, "x"],
    ["no body", "---\na: 1\n---", { a: 1 }, ""],
    ["nothing in it", "---\n---\nx", {}, "x"],
    ["a comment alone", "---\n# note to self\n---\nx", {}, "x"],
    ["a list", "---\n- a\n---\nx", {}, "---\n- a\n---\nx"],
    ["a sentence", "---\nhello\n---\nx", {}, "---\nhello\n---\nx"],
    ["a longer run of dashes", "----\na: 1\n----\nx", {}, "----\na: 1\n----\nx"],
    ["text before it", "x\n---\na: 1\n---\n", {}, "x\n---\na: 1\n---\n"],
    ["a body that begins with a fence", "---\na: 1\n---\n---\nb\n", { a: 1 }, "---\nb\n"],
    ["a line of dashes and more inside", "---\na: |\n  x\n---- y: 1\n---\nz", { a: "x\n", "---- y": 1 }, "z"],
  ])("%s", (_what, text, data, body) => {
    const result = read(text);
    expect(result.error).toBeUndefined();
    expect(result.data).toEqual(data);
    expect(text.slice(result.bodyStart).replace(/^\ufeff/, "")).toBe(body);
  });

  it("never runs a note's code", () => {
    for (const language of ["js", "javascript", "coffee", "json"]) {
      const { data, bodyStart } = read(`---${language}\n{a: (globalThis.__mark = 1)}\n---\nx`);
      expect({ data, bodyStart }).toEqual({ data: {}, bodyStart: 0 });
    }
    expect(read("---\na: !!js/function 'function () { globalThis.__mark = 1 }'\n---\n").error).toBeDefined();
    expect("__mark" in globalThis).toBe(false);
  });
});

describe("placeholders of templates", () => {
  it("are the text that they were meant as, wherever a value stands", () => {
    expect(
      read("---\nlast: {{date}}\ntags: [{{a}}, b]\nat:\n  - {{date:YYYY-MM-DD}}\n  - {{ title }}\n---\n"),
    ).toMatchObject({
      data: { last: "{{date}}", tags: ["{{a}}", "b"], at: ["{{date:YYYY-MM-DD}}", "{{ title }}"] },
      error: undefined,
    });
    expect(read('---\na: "[object Object]"\n"[object Object]": 1\n---\n').data).toEqual({
      a: "[object Object]",
      "[object Object]": 1,
    });
  });

  it.each([
    ["---\na: 1\nlast: {{a}: 1}\n---\n", 3],
    ["---\nlast: {{date}, b}\n---\n", 2],
    ["---\nlast: &x {{date}}\n---\n", 2],
  ])("any other mapping in the place of a key is told with its line: %j", (text, line) => {
    expect(read(text)).toMatchObject({
      data: {},
      error: { line, message: expect.stringContaining("a key") },
    });
  });
});

describe("broken YAML", () => {
  it.each([
    ["an open quote", '---\na: 1\nb: "x\n---\nbody', 4, /unexpected end/],
    ["a colon in a value", "---\nname: a: b\n---\nbody", 2, /mapping/],
    ["a key twice", "---\na: 1\nb: 2\na: 3\n---\nbody", 4, /duplicated mapping key/],
    ["a wrong indentation", "---\na:\n    b: 1\n  c: 2\n---\nbody", 4, /indentation/],
    ["an unknown alias", "---\na: *b\n---\nbody", 2, /unidentified alias/],
  ])("%s is told with its line, and the body is what follows", (_what, text, line, message) => {
    const { data, error, bodyStart } = read(text);
    expect(data).toEqual({});
    expect(error?.line).toBe(line);
    expect(error?.message).toMatch(message);
    expect(text.slice(bodyStart)).toBe("body");
  });

  it("refuses aliases that multiply, circular ones, and more than 100", () => {
    const bomb = ["a: &a [x, x, x, x, x, x, x, x, x]"];
    for (const [name, of] of ["ba", "cb", "dc", "ed", "fe", "gf", "hg"]) {
      bomb.push(`${name}: &${name} [${Array(9).fill(`*${of}`).join(", ")}]`);
    }
    expect(read(`---\n${bomb.join("\n")}\n---\n`).error?.message).toMatch(/aliases/);
    expect(read("---\na: &a [*a]\n---\n").error?.message).toMatch(/holds itself/);
    const many = (count: number) => `---\na: &a 1\nb: [${Array(count).fill("*a").join(", ")}]\n---\n`;
    expect(read(many(100)).error).toBeUndefined();
    expect(read(many(101)).error?.message).toMatch(/more than 100 aliases/);
  });
});

describe("properties", () => {
  const line = fc.string({
    unit: fc.constantFrom(..."ab:- #[]{}\"'&*!|>%@`\\\t?,é日\u2028".split("")),
    maxLength: 12,
  });
  const text = fc.array(line, { maxLength: 6 }).map((lines) => lines.join("\n"));

  it("any text between the fences gives a value or an error, never an exception", () => {
    fc.assert(
      fc.property(text, (yaml) => {
        const result = read(`---\n${yaml}\n---\nbody`);
        expect(JSON.parse(JSON.stringify(result.data))).toEqual(result.data);
        if (result.error !== undefined) expect(result.error.line).toBeGreaterThan(1);
      }),
      { numRuns: 2_000 },
    );
  });

  it("a plain number is a number exactly when it prints as it is written", () => {
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.integer()), fc.constantFrom("", "0", " "), (number, suffix) => {
        const written = `${number}${suffix}`.trim();
        const value = scalarOf(written);
        const expected =
          Number.isFinite(number) && String(Number(written)) === written ? Number(written) : written;
        expect(value).toBe(expected);
      }),
    );
  });
});
