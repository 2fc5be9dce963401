import { afterEach, describe, expect, test } from "vitest";
import { compileRegex } from "../src/adapters/regex/compile-regex.ts";
import { displayPath } from "../src/domain/raw-name.ts";
import { type SearchBudget, searchBudget } from "../src/domain/searching/budget.ts";
import { grepFiles } from "../src/domain/searching/grep-files.ts";
import type { GrepPosition, GrepRequest } from "../src/domain/searching/grep-request.ts";
import { createLineMatcher } from "../src/domain/searching/line-matcher.ts";
import { describeScripted, openPool } from "./open-pool.ts";
import { type ScriptedTargetOptions, startScriptedTarget } from "./scripted-target/start-scripted-target.ts";
import { directory, fifo, fileWith, link, type Node } from "./scripted-target/tree.ts";

const signal = new AbortController().signal;
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}${index % 10 === 4 ? " lost" : ""}`).join(
    "\n",
  );

const tree = (): Node =>
  directory({
    d: directory({
      "app.log": fileWith("start\r\nframe LOST on bus 2\r\nretry\nframe lost again"),
      bin: fileWith(Buffer.from("lost\0lost")),
      closed: fileWith("lost", { denied: true }),
      empty: fileWith(""),
      log: directory({ "big.log": fileWith(`${numbered(2_000)}\n`), "other.txt": fileWith("lost\n") }),
      out: link("/secret"),
      pipe: fifo(),
    }),
    secret: fileWith("lost"),
  });

async function arrange(options: ScriptedTargetOptions = {}) {
  const target = await startScriptedTarget({ root: tree(), ...options });
  ends.push(target.close);
  const { pool, close } = await openPool(
    { targets: { tb: describeScripted(target, { read_roots: ["/d", "/proc"] }) } },
    { env: { PASSWORD: target.password } },
  );
  ends.push(close);
  const place = await pool.open("tb", signal);
  type Given = Partial<Omit<GrepRequest, "matcher">> & {
    pattern?: string;
    regex?: boolean;
    ignoreCase?: boolean;
  };
  async function grep(given: Given = {}, budget: Partial<SearchBudget> = {}) {
    const { pattern = "lost", regex = false, ignoreCase = false, ...rest } = given;
    const matcher = await createLineMatcher({ pattern, regex, ignoreCase }, compileRegex);
    const request = {
      path: "/d",
      include: undefined,
      context: 0,
      maxDepth: undefined,
      count: 5_000,
      after: undefined,
    };
    const services = { budget: { ...searchBudget, ...budget }, now: () => 0, progress: () => {} };
    const page = await grepFiles(place, { ...request, ...rest, matcher }, services, signal);
    return { ...page, places: page.matches.map(({ path, line }) => `${displayPath(path).text}:${line}`) };
  }
  return { target, grep };
}

const inBig = Array.from({ length: 200 }, (_, index) => `log/big.log:${index * 10 + 5}`);
const all = ["app.log:4", ...inBig, "log/other.txt:1"];

describe("a search", () => {
  test("finds every line, skips what is binary and counts what cannot be read", async () => {
    const { target, grep } = await arrange();
    const page = await grep();
    expect(page.places).toEqual(all);
    expect(page).toMatchObject({ more: false, files: 4, binaries: 1, failed: ["closed"], failedCount: 1 });
    expect(page.matches[0]).toMatchObject({ column: 7, text: "frame lost again", cut: false });
    expect(target.requests().filter((said) => /^OPEN \/(secret|d\/pipe|d\/empty)/.test(said))).toEqual([]);
  });

  test("shows the lines around each match, without their ends", async () => {
    const { grep } = await arrange();
    const { matches } = await grep({ path: "/d/app.log", ignoreCase: true, context: 1 });
    expect(matches).toMatchObject([
      { line: 2, before: ["start"], text: "frame LOST on bus 2", after: ["retry"] },
      { line: 4, before: ["retry"], text: "frame lost again", after: [] },
    ]);
  });

  test("has the context of the last match of a page", async () => {
    const { grep } = await arrange();
    const { matches, more } = await grep({ path: "/d/app.log", ignoreCase: true, context: 2, count: 1 });
    expect(matches).toMatchObject([{ line: 2, after: ["retry", "frame lost again"] }]);
    expect(more).toBe(true);
  });

  test("narrows by name and depth", async () => {
    const { grep } = await arrange();
    expect((await grep({ include: "*.txt" })).places).toEqual(["log/other.txt:1"]);
    expect((await grep({ include: "log/big*", pattern: "line 17 " })).files).toBe(1);
    expect((await grep({ maxDepth: 1 })).places).toEqual(["app.log:4"]);
  });

  test("follows no link out of the roots, and opens no FIFO", async () => {
    const { grep } = await arrange();
    await expect(grep({ path: "/d/out" })).rejects.toMatchObject({ code: "OUTSIDE_ROOTS" });
    await expect(grep({ path: "/d/pipe" })).rejects.toMatchObject({ code: "NOT_A_FILE" });
    await expect(grep({ path: "/d/closed" })).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    await expect(grep({ path: "/d/none" })).rejects.toMatchObject({
      code: "NOT_FOUND",
      details: { path: "/d/none" },
    });
  });

  test("takes expressions of RE2", async () => {
    const { grep } = await arrange();
    expect((await grep({ pattern: "^LINE 1[0-9]?5 lost$", regex: true, ignoreCase: true })).places).toEqual([
      "log/big.log:15",
      "log/big.log:105",
      "log/big.log:115",
      "log/big.log:125",
      "log/big.log:135",
      "log/big.log:145",
      "log/big.log:155",
      "log/big.log:165",
      "log/big.log:175",
      "log/big.log:185",
      "log/big.log:195",
    ]);
    await expect(grep({ pattern: "(", regex: true })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(grep({ pattern: "(a{1000}){1000}", regex: true })).rejects.toMatchObject({
      code: "PATTERN_TOO_COSTLY",
    });
    await expect(grep({ pattern: "(a|bc){500}", regex: true })).rejects.toMatchObject({
      code: "PATTERN_TOO_COSTLY",
    });
    await expect(grep({ pattern: "a\nb" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});

describe("pages", () => {
  test.each([
    [7, {}],
    [150, {}],
    [5_000, { bytes: 3_000 }],
    [3, { entries: 1 }],
    [60, { bytes: 1 }],
  ])("of %i lines within %j give each line once", async (count, budget) => {
    const { grep } = await arrange();
    const places: string[] = [];
    let after: GrepPosition | undefined;
    let pages = 0;
    for (;;) {
      const page = await grep({ count, after, pattern: count < 10 ? "5 lost" : "lost" }, budget);
      places.push(...page.places);
      pages++;
      if (!page.more || pages > 2_000) break;
      const last = page.matches.at(-1);
      after = page.end ?? (last && { path: last.path, line: last.line, offset: last.end });
    }
    expect(places).toEqual(count < 10 ? inBig : all);
  });
});

test("a line that is longer than may be kept is searched at its beginning", async () => {
  const long = `lost${"x".repeat(1_500_000)}lost`;
  const root = directory({
    d: directory({ a: fileWith(`${long}\nlost\n`), b: fileWith(`${"y".repeat(1_500_000)}lost\nend`) }),
  });
  const { grep } = await arrange({ root });
  const page = await grep();
  expect(page.places).toEqual(["a:1", "a:2"]);
  expect(page.longLines).toBe(2);
  expect(page.matches[0]?.text).toHaveLength(400);
});

test("files of /proc are read to their end, whatever size they tell", async () => {
  const root = directory({
    d: directory({}),
    proc: directory({
      "1": directory({ as: fileWith("lost"), cmdline: fileWith("app\nlost\n", { noSize: true }) }),
    }),
  });
  const { target, grep } = await arrange({ root });
  expect((await grep({ path: "/proc/1" })).places).toEqual(["cmdline:2"]);
  expect(target.requests()).not.toContain("OPEN /proc/1/as");
});
