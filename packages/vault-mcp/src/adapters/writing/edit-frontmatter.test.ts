import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { VaultError } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/json.ts";
import { readFrontmatter } from "../../domain/note/frontmatter.ts";
import { editFrontmatter } from "../../domain/writing/edit-frontmatter.ts";
import { createYamlParser } from "../yaml-frontmatter.ts";
import { readYamlLayout } from "./yaml-layout.ts";

const yaml = { parse: createYamlParser(), layout: readYamlLayout };
const change = (text: string, set: JsonObject, remove: string[] = []) =>
  editFrontmatter("n.md", text, { set, remove }, yaml);
const read = (text: string) => readFrontmatter(text, yaml.parse).data;

function failure(run: () => unknown) {
  try {
    run();
  } catch (error) {
    if (error instanceof VaultError) return { code: error.code, ...error.details };
    throw error;
  }
  throw new Error("did not fail");
}

describe("editFrontmatter", () => {
  it("changes the named key's line alone", () => {
    const note = "---\ndue: 2031-02-03\nowner: ann\n---\nbody\n";
    expect(change(note, { owner: "bob" })).toBe("---\ndue: 2031-02-03\nowner: bob\n---\nbody\n");
    const commented = "---\n# keep me\nstatus: open # why\nn: 1\n---\n";
    expect(change(commented, {}, ["n"])).toBe("---\n# keep me\nstatus: open # why\n---\n");
    expect(change(commented, { status: "done" })).toBe("---\n# keep me\nstatus: done # why\nn: 1\n---\n");
    expect(change(commented, { status: ["a"] })).toBe("---\n# keep me\nstatus: # why\n  - a\nn: 1\n---\n");
    expect(change(commented, { status: null })).toBe("---\n# keep me\nstatus: # why\nn: 1\n---\n");
    expect(change(commented, { status: "a\nb" })).toBe(
      "---\n# keep me\nstatus: |- # why\n  a\n  b\nn: 1\n---\n",
    );
  });

  it("leaves the placeholders of a template, and replaces one", () => {
    const template = "---\nlast: {{date}} # when\nn: 1\n---\n{{title}}\n";
    expect(change(template, { n: 2 })).toBe("---\nlast: {{date}} # when\nn: 2\n---\n{{title}}\n");
    expect(change(template, { last: "x" })).toBe("---\nlast: x # when\nn: 1\n---\n{{title}}\n");
    expect(read(change(template, { n: "{{time}}" }))).toEqual({ last: "{{date}}", n: "{{time}}" });
  });

  it("says why a block in braces cannot be changed in place", () => {
    expect(failure(() => change("---\n{a: 1, b: 2}\n---\n", { a: 2 }))).toMatchObject({
      code: "FRONTMATTER_NOT_EDITABLE",
      reason: "the block is one mapping in braces",
    });
  });

  it("writes a list as a list, in the style that is there", () => {
    expect(change("---\ntags: [x]\n---\n", { tags: ["a/b", "c"] })).toBe("---\ntags: [a/b, c]\n---\n");
    expect(change("---\ntags:\n- x # one\n- y\nz: 1\n---\n", { tags: ["a", "b"] })).toBe(
      "---\ntags:\n- a\n- b\nz: 1\n---\n",
    );
    expect(change("---\ntags: # these\n    - x\n---\n", { tags: "one" })).toBe(
      "---\ntags: one # these\n---\n",
    );
    expect(change("---\nt: |\n  a\n\n  b\nz: 1\n---\n", { t: "c" })).toBe("---\nt: c\nz: 1\n---\n");
    expect(change("---\nt: 'a'\nu: \"b\"\n---\n", { t: "it's", u: "c" })).toBe(
      "---\nt: 'it''s'\nu: \"c\"\n---\n",
    );
  });

  it("keeps byte order mark, CRLF, odd spaces and what it does not understand", () => {
    expect(change("\ufeff---\r\na: 1\r\n---\r\nx\r\n", { a: 2 })).toBe("\ufeff---\r\na: 2\r\n---\r\nx\r\n");
    expect(change("\ufeff---\r\na: 1\r\n---\r\nx", { b: ["c"] })).toBe(
      "\ufeff---\r\na: 1\r\nb:\r\n  - c\r\n---\r\nx",
    );
    expect(change("---\nup: [[Home]]\n---\n", { k: "v" })).toBe("---\nup: [[Home]]\nk: v\n---\n");
    const odd = "---  \n\n\"q k\"  :   'x'\t# c\n\n# own\ntime: 12:30\nn: 0123\n...keep: 1\n---\nb";
    expect(change(odd, { n: 5 })).toBe(odd.replace("0123", "5"));
    expect(change("---\n  a: 1\n  b: 2\n---\n", { c: 3, a: { x: 1 } })).toBe(
      "---\n  a:\n    x: 1\n  b: 2\n  c: 3\n---\n",
    );
  });

  it("makes a block where there is none, and takes the last entry's block away", () => {
    expect(change("body\r\n", { a: 1 })).toBe("---\r\na: 1\r\n---\r\nbody\r\n");
    expect(change("", { a: 1 })).toBe("---\na: 1\n---\n");
    expect(change("---\nSome text", { a: 1 })).toBe("---\na: 1\n---\n---\nSome text");
    expect(change("---\na: 1\n---\nbody", {}, ["a"])).toBe("body");
    expect(change("---\n# c\na: 1\n---\nbody", {}, ["a"])).toBe("---\n# c\n---\nbody");
    expect(change("---\n---\nbody", { a: 1 })).toBe("---\na: 1\n---\nbody");
    expect(change("---\nnew:\n---\n---\na\r\n---\n", {}, ["new"])).toBe("---\na\r\n---\n");
    // Without the block the body's own lines would be taken for one.
    expect(change("---\na: 1\n---\n---\nb: 2\n---\n", {}, ["a"])).toBe("---\n---\n---\nb: 2\n---\n");
  });

  it("changes nothing where nothing is to change", () => {
    const note = "---\na:   {x: 1,  y: [1]}\nt: 'q'\n---\n";
    expect(change(note, { a: { y: [1], x: 1 }, t: "q" }, ["nothing"])).toBe(note);
  });

  it("refuses frontmatter that is broken, and leaves no second block", () => {
    expect(failure(() => change('---\na: "open\nkeep: 1\n---\nBody\n', {}, ["a"]))).toMatchObject({
      code: "FRONTMATTER_BROKEN",
      before: true,
    });
    expect(failure(() => change("---\nname: a: b\n---\nbody", { status: "done" })).code).toBe(
      "FRONTMATTER_BROKEN",
    );
    expect(failure(() => change("---\na: 1\na: 2\n---\n", { b: 1 })).code).toBe("FRONTMATTER_BROKEN");
  });

  it("refuses what would change another key", () => {
    const anchored = "---\na: &x 1\nb: *x\n---\n";
    for (const run of [() => change(anchored, { a: 2 }), () => change(anchored, {}, ["a"])]) {
      expect(failure(run).code).toBe("FRONTMATTER_NOT_EDITABLE");
    }
    expect(change(anchored, { b: 2 })).toBe("---\na: &x 1\nb: 2\n---\n");
    expect(failure(() => change("---\n{a: 1}\n---\n", { a: 2 })).code).toBe("FRONTMATTER_NOT_EDITABLE");
    expect(failure(() => change("---\n? a\n: 1\n---\n", { b: 2 })).code).toBe("FRONTMATTER_NOT_EDITABLE");
  });

  it("does not take a comment below a block text for its content", () => {
    expect(read(change("---\na:\n  - x\n  # inner\nb: 1\n---\n", { a: "one\ntwo" }))).toEqual({
      a: "one\ntwo",
      b: 1,
    });
  });

  it.each([
    "Part 1: start",
    "[[Home]]",
    "a: b",
    "#x",
    "x #y",
    "2031-02-03",
    "2031-02-03 10:20:30",
    "1.10",
    "0123",
    "12:30",
    "yes",
    "null",
    "~",
    "",
    " ",
    " a",
    "a ",
    "-",
    "- a",
    "--- ",
    "---",
    "a\nb",
    "a\n",
    "a\n\n",
    "\n",
    "\na",
    " a\n b",
    "a\r\nb",
    "a\tb",
    "\ta\n",
    "'",
    '"',
    "it's",
    "\\n",
    "%a",
    "@a",
    "`a",
    "!a",
    "&a",
    "*a",
    "|",
    ">",
    "{",
    "a, b",
    "a]",
    "?",
    "? a",
    "\u2028",
    "\u0085",
    "\ufeff",
    "\u0000",
    "é",
    "😀",
    "1e3",
    "0x1f",
    "true",
    "...",
    "a:",
    "key: [",
    "<<",
    "=",
    "3 apples",
    "---\nb",
    "a\n---\nb",
    "a\n# c",
  ])("reads %j back as it was set", (value) => {
    for (const note of [
      "---\nk: 1\nz: 2\n---\nbody",
      "---\nk: 'o' # c\nz: 2\n---\n",
      "---\nk:\n  - 1\nz: 2\n---\nbody",
      "body",
      "---\r\nk: 1\r\n---\r\n",
    ]) {
      for (const wrapped of [
        value,
        [value],
        [[value]],
        { [value]: value },
        [{ a: value, b: [value] }],
        { a: { b: value } },
      ]) {
        const changed = change(note, { k: wrapped });
        expect(read(changed).k).toEqual(wrapped);
        if (note.includes("z")) expect(read(changed).z).toBe(2);
      }
    }
  });

  const json = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.string({ unit: "grapheme", maxLength: 12 }),
      fc.string({ unit: fc.constantFrom(..."ab :#-[]{},'\"\n&*!|>%@`~?\\"), maxLength: 8 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.string({ maxLength: 5 }), tie("value"), { maxKeys: 3, noNullPrototype: true }),
    ),
  })).value as fc.Arbitrary<JsonObject[string]>;

  it("changes nothing outside the target and is undone by removing, for any note and value", () => {
    const blocks = [
      "",
      "---\na: 1\n---\n",
      "\ufeff---\r\na: 1 # c\r\n\r\n# d\r\n---\r\n",
      "---\nlist:\n- x\n-  y\n# end\n---\n",
      "---\nt: |+\n  x\n\n---\n",
      "---\na: one\n  two\n---\n",
      "---\nup: [[Home]]\n'q: r':   \"s\"\n---\n",
      "---\n# only\n---\n",
    ];
    const body = fc.string({
      unit: fc.constantFrom("a", "\n", "\r\n", "---\n", " ", "#", "é"),
      maxLength: 12,
    });
    const key = fc.oneof(fc.constant("new"), fc.string({ minLength: 1, maxLength: 6 }));
    fc.assert(
      fc.property(fc.constantFrom(...blocks), body, key, json, (block, rest, name, value) => {
        const note = block + rest;
        const before = readFrontmatter(note, yaml.parse);
        fc.pre(before.error === undefined && !Object.hasOwn(before.data, name));
        // An empty block goes with the key that came into it.
        fc.pre(!/^\ufeff?---\r?\n---(?:\r?\n|$)/.test(note));
        const changed = change(note, { [name]: value });
        expect(read(changed)).toEqual({ ...before.data, ...Object.fromEntries([[name, value]]) });
        expect(changed.endsWith(note.slice(before.bodyStart))).toBe(true);
        expect(change(changed, {}, [name])).toBe(note);
        const again = change(changed, { [name]: "other" });
        expect(read(again)).toEqual({ ...before.data, ...Object.fromEntries([[name, "other"]]) });
      }),
      { numRuns: 300 },
    );
  });
});
