import { afterEach, describe, expect, test } from "vitest";
import { KeptListings } from "../src/domain/kept-listings.ts";
import { displayPath, type RawName } from "../src/domain/raw-name.ts";
import { searchBudget } from "../src/domain/searching/budget.ts";
import {
  type FindRequest,
  type FindServices,
  findFiles,
  foundPosition,
} from "../src/domain/searching/find-files.ts";
import { newWalkReport, walkTree } from "../src/domain/searching/walk-tree.ts";
import type { OpenTarget } from "../src/domain/targets.ts";
import { describeScripted, openPool } from "./open-pool.ts";
import { type ScriptedTargetOptions, startScriptedTarget } from "./scripted-target/start-scripted-target.ts";
import { directory, fifo, file, link, type Node, rawText } from "./scripted-target/tree.ts";

const signal = new AbortController().signal;
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const tree = (): Node =>
  directory({
    d: directory({
      "a-b": file(1, { mtime: 100 }),
      a: directory({
        z: file(30, { mtime: 300 }),
        deep: directory({ "x.core": file(20, { mtime: 200 }) }),
        loop: link("/d"),
      }),
      b: directory({}, { denied: true }),
      c: fifo(),
      é: directory([["caf\xe9", directory({ hidden: file(1) })]]),
    }),
    dev: directory({ mem: file(1) }),
    proc: directory({ "1": file(1) }),
  });

/** The tree in the order of a walk. */
const order = ["a", "a/deep", "a/deep/x.core", "a/loop", "a/z", "a-b", "b", "c", "é", "é/caf\ufffd"];

async function arrange(options: ScriptedTargetOptions = {}) {
  const target = await startScriptedTarget({ root: tree(), ...options });
  ends.push(target.close);
  const { pool, close } = await openPool(
    { targets: { tb: describeScripted(target) } },
    { env: { PASSWORD: target.password } },
  );
  ends.push(close);
  const place = await pool.open("tb", signal);
  let id = 0;
  const listings = new KeptListings({
    keepMs: 60_000,
    maxListings: 4,
    maxEntries: 1_000,
    now: () => 0,
    newId: () => `id${id++}`,
  });
  const services: FindServices = { listings, budget: searchBudget, now: () => 0, progress: () => {} };
  return { target, place, services };
}

function request(given: Partial<FindRequest> = {}): FindRequest {
  return {
    path: "/d",
    pattern: undefined,
    types: undefined,
    minSize: undefined,
    maxSize: undefined,
    newerThan: undefined,
    olderThan: undefined,
    sort: "path",
    order: "desc",
    maxDepth: undefined,
    count: 100,
    after: undefined,
    kept: undefined,
    ...given,
  };
}

const shown = (name: RawName): string => displayPath(name).text;

async function find(place: OpenTarget, services: FindServices, given: Partial<FindRequest> = {}) {
  const page = await findFiles(place, request(given), services, signal);
  return { ...page, paths: page.entries.map(({ name }) => shown(name)) };
}

/** All pages of a search. */
async function walkPages(place: OpenTarget, services: FindServices, given: Partial<FindRequest>) {
  const paths: string[] = [];
  let pages = 0;
  for (let next: Partial<FindRequest> = given; ; pages++) {
    const page = await find(place, services, next);
    paths.push(...page.paths);
    if (!page.more) return { paths, pages: pages + 1 };
    const last = page.entries.at(-1);
    const after = page.end ?? (last && foundPosition(last, given.sort ?? "path"));
    next = { ...given, after, kept: page.kept };
  }
}

describe("how many match", () => {
  test("is told where one call saw all, however many of them fit into its page", async () => {
    const { place, services } = await arrange();
    expect((await find(place, services)).total).toBe(order.length);
    const first = await find(place, services, { count: 3 });
    expect(first).toMatchObject({ more: true, total: order.length });
    const second = await find(place, services, {
      count: 3,
      after: { value: null, name: "a/loop" as RawName },
    });
    expect(second.total).toBeUndefined();
  });

  test("is not told where a budget ended the search", async () => {
    const { place, services } = await arrange();
    const short = { ...services, budget: { ...searchBudget, entries: 4 } };
    expect(await find(place, short)).toMatchObject({ more: true, total: undefined });
  });
});

describe("a walk", () => {
  test("meets all depth-first by code points, and goes through no link and into no device", async () => {
    const { target, place, services } = await arrange();
    const page = await find(place, services);
    expect(page.paths).toEqual(order);
    expect(page.report).toMatchObject({ unreadable: ["/d/b", "/d/é/caf\ufffd"], unreadableCount: 2 });
    expect(target.requests().filter((said) => /^OPENDIR .*(loop|caf)/.test(said))).toEqual([]);
    const all = await find(place, services, { path: "/" });
    expect(all.paths).toEqual(["d", ...order.map((path) => `d/${path}`), "dev", "proc"]);
    expect(all.report?.skipped).toEqual(["/dev", "/proc"]);
    expect((await find(place, services, { path: "/dev" })).paths).toEqual(["mem"]);
  });

  test.each([1, 2, 3, 7])("in pages of %i gives each entry once", async (count) => {
    const { place, services } = await arrange();
    expect((await walkPages(place, services, { count })).paths).toEqual(order);
  });

  test("goes on from every entry, also from one that is gone", async () => {
    const { place } = await arrange();
    const root = "/d";
    for (const [index, path] of [...order, "a/deep/w", "a/a", "0"].entries()) {
      const after = rawText(path.replace("\ufffd", "")) as RawName;
      if (path.includes("\ufffd")) continue;
      const met: string[] = [];
      for await (const walked of walkTree(place, root, { after }, newWalkReport(), signal))
        met.push(shown(walked.path));
      const expected =
        index < order.length
          ? order.slice(index + 1)
          : path === "0"
            ? order
            : order.slice(path === "a/a" ? 1 : 2);
      expect(met, path).toEqual(expected);
    }
  });

  test("ends on its budget and goes on after it, entry by entry if need be", async () => {
    const { place, services } = await arrange();
    const budget = { ...searchBudget, entries: 1 };
    const { paths, pages } = await walkPages(place, { ...services, budget }, { pattern: "*.core" });
    expect(paths).toEqual(["a/deep/x.core"]);
    expect(pages).toBe(order.length);
    let time = 0;
    const late = { ...services, now: () => (time += 30_000) };
    expect((await find(place, late)).report).toMatchObject({ stopped: true, entries: 1 });
  });

  test("keeps to a depth", async () => {
    const { place, services } = await arrange();
    expect((await find(place, services, { maxDepth: 1 })).paths).toEqual(["a", "a-b", "b", "c", "é"]);
  });

  test("of a directory that is missing, or is none, fails", async () => {
    const { place, services } = await arrange();
    await expect(find(place, services, { path: "/d/none" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(find(place, services, { path: "/d/a-b" })).rejects.toMatchObject({
      code: "NOT_A_DIRECTORY",
    });
    await expect(find(place, services, { path: "/d/b" })).rejects.toMatchObject({
      code: "PERMISSION_DENIED",
    });
  });

  test("sends nothing more once it is cancelled", async () => {
    const stop = new AbortController();
    const { target, place, services } = await arrange({
      behave: (name, path) => {
        if (name === "OPENDIR" && path === "/d/a") stop.abort(new Error("stopped"));
        return "answer";
      },
    });
    await expect(findFiles(place, request(), services, stop.signal)).rejects.toThrow("stopped");
    const before = target.requests().filter((said) => !said.startsWith("CLOSE")).length;
    await place.files.lstat("/d", signal);
    expect(target.requests().filter((said) => !said.startsWith("CLOSE")).length - before).toBeLessThanOrEqual(
      20,
    );
    expect(target.requests().some((said) => said === "OPENDIR /d/a/deep")).toBe(false);
  });
});

describe("filters", () => {
  test.each<[Partial<FindRequest>, readonly string[]]>([
    [{ pattern: "*.core" }, ["a/deep/x.core"]],
    [{ pattern: "a/**" }, ["a/deep", "a/deep/x.core", "a/loop", "a/z"]],
    [{ types: ["symlink", "fifo"] }, ["a/loop", "c"]],
    [{ types: ["file"], minSize: 20, maxSize: 30 }, ["a/deep/x.core", "a/z"]],
    [{ types: ["file"], newerThan: 100, olderThan: 300 }, ["a/deep/x.core"]],
  ])("%j", async (given, paths) => {
    const { place, services } = await arrange();
    expect((await find(place, services, given)).paths).toEqual(paths);
  });
});

describe("a ranking", () => {
  test.each([1, 2, 5])("in pages of %i comes from one look at the tree", async (count) => {
    const { target, place, services } = await arrange();
    const given = { types: ["file"], sort: "mtime", count } as const;
    expect((await walkPages(place, services, given)).paths).toEqual(["a/z", "a/deep/x.core", "a-b"]);
    expect(target.requests().filter((said) => said === "OPENDIR /d")).toHaveLength(1);
    const { total } = await find(place, services, { ...given, sort: "size", order: "asc" });
    expect(total).toBe(3);
  });

  test("says that it is of a part, on every page", async () => {
    const { place, services } = await arrange();
    const budget = { ...searchBudget, entries: 6 };
    const given = { types: ["file"], sort: "size", count: 1 } as const;
    const first = await find(place, { ...services, budget }, given);
    expect(first).toMatchObject({ paths: ["a/z"], more: true, total: undefined, kept: { stoppedAt: "a-b" } });
    const after = first.entries[0] && foundPosition(first.entries[0], "size");
    const second = await find(place, { ...services, budget }, { ...given, after, kept: first.kept });
    expect(second).toMatchObject({ paths: ["a/deep/x.core"], kept: { stoppedAt: "a-b" } });
  });
});
