import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fileKeys, linkKeys } from "./link-path.ts";
import { createResolver, type LinkTarget, mostCandidates, type Resolution } from "./resolve-link.ts";

function resolve(
  files: readonly string[],
  path: string,
  {
    source = "s.md",
    syntax = "wikilink",
    aliases = {},
  }: { source?: string; syntax?: LinkTarget["syntax"]; aliases?: Record<string, string[]> } = {},
): Resolution {
  return createResolver(files, Object.entries(aliases)).resolve({ path, syntax }, source);
}

describe("order", () => {
  it("takes no other letters for the same, whatever search does", () => {
    const files = ["Straße.md", "sub/Strasse.md"];
    expect(resolve(files, "strasse")).toMatchObject({ target: "sub/Strasse.md", candidates: [] });
    expect(resolve(files, "STRAßE")).toMatchObject({ target: "Straße.md", candidates: [] });
    expect(resolve(["İstanbul.md"], "istanbul")).toMatchObject({ target: undefined });
    expect(resolve(["İstanbul.md"], "İSTANBUL")).toMatchObject({ target: "İstanbul.md" });
  });

  it("takes the exact path before the same folder", () => {
    expect(resolve(["x.md", "f/x.md"], "x", { source: "f/s.md" })).toEqual({
      target: "x.md",
      via: "path",
      candidates: [],
    });
    expect(resolve(["f/x.md", "g/f/x.md"], "f/x", { source: "g/s.md" })).toMatchObject({
      target: "f/x.md",
      via: "path",
    });
  });

  it("takes the same folder before a shorter path", () => {
    expect(resolve(["a/x.md", "long/x.md"], "x", { source: "long/s.md" })).toEqual({
      target: "long/x.md",
      via: "folder",
      candidates: ["long/x.md", "a/x.md"],
    });
    expect(resolve(["f/g/x.md", "g/x.md"], "g/x", { source: "f/s.md" })).toMatchObject({ target: "g/x.md" });
    expect(resolve(["f/g/x.md", "h/g/x.md"], "g/x", { source: "f/s.md" })).toMatchObject({
      target: "f/g/x.md",
      via: "folder",
    });
  });

  it.each(["inline", "reference"] as const)(
    "takes a path of %s syntax from its note's folder first",
    (syntax) => {
      const files = ["index.md", "f/index.md", "f/g/x.md", "g/x.md"];
      const from = { source: "f/s.md", syntax };
      expect(resolve(files, "index.md", from)).toEqual({
        target: "f/index.md",
        via: "folder",
        candidates: [],
      });
      expect(resolve(files, "g/x.md", from)).toMatchObject({ target: "f/g/x.md" });
      expect(resolve(files, "/index.md", from)).toMatchObject({ target: "index.md" });
      expect(resolve(["index.md"], "index.md", from)).toMatchObject({ target: "index.md", via: "path" });
    },
  );

  it("takes the shortest path, then the first by name, and lists the others", () => {
    expect(resolve(["aaa/x.md", "b/x.md"], "x")).toEqual({
      target: "b/x.md",
      via: "shortest",
      candidates: ["b/x.md", "aaa/x.md"],
    });
    expect(resolve(["y/README.md", "x/README.md"], "README")).toEqual({
      target: "x/README.md",
      via: "name",
      candidates: ["x/README.md", "y/README.md"],
    });
    expect(resolve(["notes/Deep.md"], "Deep", { source: "journal/d.md" })).toEqual({
      target: "notes/Deep.md",
      via: "shortest",
      candidates: [],
    });
  });

  it("takes aliases last, for wikilinks alone", () => {
    const aliases = { "n.md": ["AL", "Two/Names"], "f/m.md": ["al"] };
    const files = ["n.md", "f/m.md", "two.md"];
    expect(resolve(files, "Al", { aliases })).toEqual({
      target: "n.md",
      via: "alias",
      candidates: ["n.md", "f/m.md"],
    });
    expect(resolve(files, "Al", { aliases, source: "f/s.md" })).toMatchObject({ target: "f/m.md" });
    expect(resolve(files, "two/names", { aliases })).toMatchObject({ target: "n.md", via: "alias" });
    expect(resolve([...files, "g/al.md"], "AL", { aliases })).toMatchObject({
      target: "g/al.md",
      via: "shortest",
    });
    expect(resolve(files, "AL", { aliases, syntax: "inline" })).toEqual({
      target: undefined,
      wouldBe: "AL.md",
    });
  });
});

describe("spelling", () => {
  it.each(["log", "LOG", "Log.MD", "/log", "./LOG", "Log.md"])("finds Log.md by %s", (path) => {
    expect(resolve(["Log.md"], path)).toMatchObject({ target: "Log.md" });
  });

  it("prefers the file that is spelled so", () => {
    expect(resolve(["Log.md", "log.md"], "log")).toMatchObject({ target: "log.md" });
    expect(resolve(["Log.md", "log.md"], "Log")).toMatchObject({ target: "Log.md" });
  });

  it("does not mind the form of accents", () => {
    expect(resolve(["f/Cafe\u0301.md"], "CAFÉ")).toMatchObject({ target: "f/Cafe\u0301.md" });
  });

  it.each([
    ["x", ["x.markdown"], "x.markdown"],
    ["x", ["a/x.markdown", "b/x.md"], "b/x.md"],
    ["x.png", ["x.png", "x.png.md"], "x.png"],
    ["x.png", ["x.png.md"], "x.png.md"],
    ["v1.2", ["v1.2.md"], "v1.2.md"],
    ["note.md", ["note.md.md", "f/note.md"], "f/note.md"],
    ["folder/x", ["a/folder/x.md"], "a/folder/x.md"],
    ["older/x", ["a/folder/x.md"], undefined],
    ["a/folder/x", ["z/a/folder/x.md", "z/b/folder/x.md"], "z/a/folder/x.md"],
    ["x", ["x.pdf"], undefined],
  ])("%s among %j is %s", (path, files, target) => expect(resolve(files, path)).toMatchObject({ target }));

  it("keeps to the folder or the root where the link says so", () => {
    const files = ["x.md", "f/x.md", "f/g/y.md"];
    expect(resolve(files, "./x", { source: "f/s.md" })).toMatchObject({ target: "f/x.md", via: "path" });
    expect(resolve(files, "../x", { source: "f/s.md" })).toMatchObject({ target: "x.md" });
    expect(resolve(files, "./y", { source: "f/s.md" })).toEqual({ target: undefined, wouldBe: "f/y.md" });
    expect(resolve(files, "/y", { source: "f/g/s.md" })).toEqual({ target: undefined, wouldBe: "y.md" });
    expect(resolve(files, "../../x", { source: "f/s.md" })).toEqual({
      target: undefined,
      wouldBe: undefined,
    });
  });

  it("takes a canvas's file by its whole path alone", () => {
    expect(resolve(["f/a.md"], "a.md", { source: "f/c.canvas", syntax: "file" })).toEqual({
      target: undefined,
      wouldBe: "a.md",
    });
    expect(resolve(["f/a.md"], "F/A.md", { syntax: "file" })).toMatchObject({
      target: "f/a.md",
      via: "path",
    });
  });

  it("leads from a link without a path to the note itself", () => {
    expect(resolve([], "", { source: "f/s.md" })).toMatchObject({ target: "f/s.md" });
  });

  it.each([
    ["New", "New.md"],
    ["f/New.md", "f/New.md"],
    ["v1.2", "v1.2.md"],
    ["Dr. Who", "Dr. Who.md"],
    ["a.png", "a.png"],
    ["clip.mp4", "clip.mp4"],
  ])("would create for %s %s", (path, wouldBe) =>
    expect(resolve([], path)).toEqual({ target: undefined, wouldBe }),
  );
});

it("lists no more candidates than it says", () => {
  const files = Array.from({ length: 100 }, (_, index) => `${index}/index.md`);
  const found = resolve(files, "index", { source: "99/s.md" });
  expect(found.target).toBe("99/index.md");
  expect("candidates" in found && found.candidates).toHaveLength(mostCandidates);
});

const name = fc.constantFrom(
  "a",
  "A",
  "b",
  "á",
  "a.md",
  "b.markdown",
  "A.MD",
  "a.png",
  "a.md.md",
  "v1.2.md",
  "b.md",
);
const path = fc
  .tuple(fc.array(fc.constantFrom("f", "g", "F"), { maxLength: 2 }), name)
  .map((parts) => parts.flat().join("/"));
const link = fc
  .tuple(
    fc.constantFrom("", "./", "../", "/", "f/", "g/f/"),
    fc.constantFrom("a", "b", "Á", "a.md", "a.png", "v1.2", "al", "f/al"),
  )
  .map((parts) => parts.join(""));
const aliases = fc.array(fc.constantFrom("al", "AL", "a", "f/al"), { maxLength: 2 });

describe("a resolver whose files come and go", () => {
  it("answers as one that is built anew", () => {
    const change = fc.record({ path, aliases, remove: fc.boolean() });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), fc.array(link), path, (changes, links, source) => {
        const resolver = createResolver([]);
        const files = new Map<string, string[]>();
        for (const { path: file, aliases: given, remove } of changes) {
          if (remove) resolver.removeFile(file);
          else resolver.addFile(file, given);
          if (remove) files.delete(file);
          else files.set(file, given);
        }
        const anew = createResolver(files.keys(), files);
        for (const wanted of links) {
          const target = { path: wanted, syntax: "wikilink" } as const;
          expect(resolver.resolve(target, source)).toEqual(anew.resolve(target, source));
        }
      }),
    );
  });

  it("changes no link that shares no key with the file", () => {
    fc.assert(
      fc.property(
        fc.array(path, { maxLength: 8 }),
        path,
        aliases,
        link,
        path,
        (files, file, given, wanted, source) => {
          const without = files.filter((other) => other !== file);
          const target = { path: wanted, syntax: "wikilink" } as const;
          const before = createResolver(without).resolve(target, source);
          const after = createResolver([...without, file], [[file, given]]).resolve(target, source);
          const keys = new Set(fileKeys(file, given));
          if (!linkKeys(wanted).some((key) => keys.has(key))) expect(after).toEqual(before);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
