import { describe, expect, it } from "vitest";
import { readProse } from "./prose.ts";
import { frontmatterTags, hasTag, inlineTags } from "./tags.ts";

const tagsOf = (text: string) => inlineTags(readProse(text, 0));

describe("inlineTags", () => {
  it.each([
    ["code", "```css\ncolor: #0033cc\n#export\n```\n`#no` and #yes", ["yes"]],
    ["digits alone", "#1984 #1984book #2031-goals #y1984 #12/34", ["1984book", "2031-goals", "y1984"]],
    ["nested, with slashes at the end", "#a/b #c/", ["a/b", "c"]],
    ["other scripts and emoji", "#日本語 #café #🌱plant", ["日本語", "café", "🌱plant"]],
    ["punctuation before", '(#pa) "#pc" .#pd x#pe —#pf', []],
    ["any kind of space before", "x\n\t#pf [x #ph]\u00a0#qi\u3000#qj", ["pf", "ph", "qi", "qj"]],
    ["punctuation after", "#one, #two. (x #three)", ["one", "two", "three"]],
    [
      "URLs and link targets",
      "https://x.org/#frag [a](b.md#c) [[n#h]] [d](<e #f>) [[g #h]] <https://x.org/#y>",
      [],
    ],
    ["headings", "# Title\n## #real", ["real"]],
    ["comments", "<!-- #no -->\n<!--\n#no2\n-->\n#yes", ["yes"]],
    ["math", "m $a #ra b$ n\n\n$$\n#rb\n$$\nx $$ #rc $$ costs $5 and #yes $6", ["yes"]],
    ["HTML attributes", '<span style="color: #ff0000">x</span> #yes', ["yes"]],
    ["escapes", "\\#no `` ` #no `` \\` #yes", ["yes"]],
    ["indented code", "text\n\n    #no\n\n- item\n\n    #yes", ["yes"]],
    ["tilde fences and a fence that is not closed", "~~~\n#no\n~~~\n#yes\n```\n#never", ["yes"]],
    ["fences in quotes", "> ```\n> #no\n> ```\n> #yes", ["yes"]],
    ["the same tag in another case", "#Work #work", ["Work"]],
    ["a backtick without its fellow", "a ` b #yes", ["yes"]],
    ["code directly before", "`x`#no", []],
  ])("%s", (_what, text, tags) => {
    expect(tagsOf(text)).toEqual(tags);
  });

  it("takes no long time over texts that are all openings", () => {
    for (const opening of ["`", "[", "](", "[[", "<", "<!--", "$", "$$", "#", "<a ", "](<"]) {
      expect(tagsOf(opening.repeat(40_000))).toEqual([]);
    }
    const runs = Array.from({ length: 600 }, (_, index) => "`".repeat(index + 1)).join(" ");
    expect(tagsOf(`${runs} #yes`)).toEqual(["yes"]);
  });
});

describe("frontmatterTags", () => {
  it.each([
    [{ tags: "work" }, ["work"]],
    [{ tags: ["work"] }, ["work"]],
    [{ tags: "a, b c" }, ["a", "b", "c"]],
    [{ tags: ["#a/b/", "A/b"] }, ["a/b"]],
    [{ tags: null }, []],
    [{ tags: [null, "", "  ", 2031, "x1"] }, ["x1"]],
    [{ tag: "one", tags: ["two"] }, ["two", "one"]],
    [{ tags: { a: 1 } }, []],
    [{ tags: true }, []],
  ])("%j", (frontmatter, tags) => {
    expect(frontmatterTags(frontmatter)).toEqual(tags);
  });
});

it("a tag holds for those below it, whatever the case", () => {
  expect(hasTag(["Projects/Garden"], "projects")).toBe(true);
  expect(hasTag(["projects/garden"], "#Projects/Garden/")).toBe(true);
  expect(hasTag(["projectsx"], "projects")).toBe(false);
  expect(hasTag(["projects"], "projects/garden")).toBe(false);
  expect(hasTag(["projects/garden"], "!#Projects")).toBe(false);
  expect(hasTag(["projects"], "!projects/garden")).toBe(true);
});
