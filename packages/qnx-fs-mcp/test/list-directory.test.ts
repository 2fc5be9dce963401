import { afterEach, describe, expect, test } from "vitest";
import { KeptListings } from "../src/domain/kept-listings.ts";
import { type DirectoryPage, type ListRequest, listDirectory } from "../src/domain/list-directory.ts";
import { positionOf } from "../src/domain/order.ts";
import { displayName } from "../src/domain/raw-name.ts";
import type { OpenTarget } from "../src/domain/targets.ts";
import { listRequest } from "./list-request.ts";
import { describeScripted, openPool } from "./open-pool.ts";
import {
  type ScriptedTarget,
  type ScriptedTargetOptions,
  startScriptedTarget,
} from "./scripted-target/start-scripted-target.ts";
import { directory, file, link, type Node, named } from "./scripted-target/tree.ts";

const signal = new AbortController().signal;
/** Entries that the listings of these tests keep. */
const maxEntries = 1_000;
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A target with these entries in /d, the only root, and a clock for its listings. */
async function arrange(
  entries: Readonly<Record<string, Node>>,
  options: ScriptedTargetOptions = {},
  roots = ["/d"],
) {
  const root = directory({ d: directory(entries), other: directory({ x: file(1) }) });
  const target: ScriptedTarget = await startScriptedTarget({ root, ...options });
  ends.push(target.close);
  const { pool, close } = await openPool(
    { targets: { tb: describeScripted(target, { read_roots: roots }) } },
    { env: { PASSWORD: target.password } },
  );
  ends.push(close);
  const place = await pool.open("tb", signal);
  const clock = { now: 0 };
  let id = 0;
  const listings = new KeptListings({
    keepMs: 60_000,
    maxListings: 4,
    maxEntries,
    now: () => clock.now,
    newId: () => `id${id++}`,
  });
  const reads = (): number => target.requests().filter((request) => request.startsWith("OPENDIR")).length;
  return { target, place, clock, listings, reads };
}

function list(
  place: OpenTarget,
  listings: KeptListings,
  request: Partial<ListRequest> = {},
): Promise<DirectoryPage> {
  return listDirectory(place, listings, listRequest("/d", { count: 2, ...request }), signal);
}

const namesOf = ({ entries }: DirectoryPage): string[] => entries.map(({ name }) => displayName(name).text);
const files = (names: string): Record<string, Node> =>
  Object.fromEntries([...names].map((name) => [name, file(1)]));

/** The request for the page after another one. */
function next(page: DirectoryPage, sort: ListRequest["sort"] = "name"): Partial<ListRequest> {
  const last = page.entries.at(-1);
  return { after: last && positionOf(last, sort), listing: page.listing, sort };
}

describe("pages", () => {
  test("come from one reading for a minute, whatever changes meanwhile", async () => {
    const { target, place, clock, listings, reads } = await arrange(files("abcdef"));
    const first = await list(place, listings);
    target.replaceRoot(directory({ d: directory(files("acz")) }));
    clock.now = 60_000;
    const second = await list(place, listings, next(first));
    expect([first, second].map(namesOf)).toEqual([
      ["a", "b"],
      ["c", "d"],
    ]);
    expect(second).toMatchObject({ total: 6, more: true, readAgain: false });
    expect(reads()).toBe(1);
  });

  test("are read again afterwards, and go on after the last entry", async () => {
    const { target, place, clock, listings, reads } = await arrange(files("abcdef"));
    const first = await list(place, listings);
    target.replaceRoot(directory({ d: directory(files("abbcxz")) }));
    clock.now = 60_001;
    const second = await list(place, listings, next(first));
    expect(namesOf(second)).toEqual(["c", "x"]);
    expect(second).toMatchObject({ readAgain: true, total: 5, more: true });
    expect(namesOf(await list(place, listings, next(second)))).toEqual(["z"]);
    expect(reads()).toBe(2);
  });

  test("are not mixed up between queries that bear the same listing's name", async () => {
    const { place, listings, reads } = await arrange(files("abc"));
    const first = await list(place, listings);
    expect(namesOf(await list(place, listings, { ...next(first), order: "desc" }))).toEqual(["a"]);
    expect(reads()).toBe(2);
  });

  test("of a first call always show the directory as it is", async () => {
    const { target, place, listings } = await arrange(files("a"));
    await list(place, listings);
    target.replaceRoot(directory({ d: directory(files("b")) }));
    expect(namesOf(await list(place, listings))).toEqual(["b"]);
  });
});

test("a directory of more entries than are kept is walked to its end, a part at a time", async () => {
  const count = 3_300;
  const name = (index: number): string => `f${String(index).padStart(4, "0")}`;
  const entries = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [name(count - 1 - index), file(0)]),
  );
  const { place, listings, reads } = await arrange(entries);
  const walked: string[] = [];
  let page = await list(place, listings, { count: 700 });
  expect(page).toMatchObject({ total: count, inDirectory: count, more: true, keptAtATime: maxEntries });
  for (;;) {
    walked.push(...namesOf(page));
    if (!page.more) break;
    page = await list(place, listings, { ...next(page), count: 700 });
    expect(page.total).toBe(count);
  }
  expect(walked).toEqual(Array.from({ length: count }, (_, index) => name(index)));
  expect(page.keptAtATime).toBeUndefined();
  expect(reads()).toBe(4);
});

describe("types", () => {
  test("come from the line of ls where the target sends no type bits", async () => {
    const { target, place, listings } = await arrange({
      dir: directory({}, { noTypeBits: "readdir" }),
      plain: file(1, { noTypeBits: "readdir" }),
      shm: named(1, { noTypeBits: "readdir" }),
    });
    const { entries } = await list(place, listings, { count: 9 });
    expect(entries.map(({ type, detail }) => detail ?? type)).toEqual(["dir", "file", "named"]);
    expect(target.requests().filter((request) => request.startsWith("LSTAT /d/"))).toEqual([]);
  });

  test("come from LSTAT where there is no line either, and only for those entries", async () => {
    const { target, place, listings } = await arrange({
      dir: directory({}, { noTypeBits: "readdir", noLongName: true }),
      none: file(1, { noTypeBits: "everywhere", noLongName: true }),
      plain: file(1),
    });
    const { entries } = await list(place, listings, { count: 9 });
    expect(entries.map(({ type }) => type)).toEqual(["dir", "other", "file"]);
    expect(
      target
        .requests()
        .filter((request) => request.startsWith("LSTAT /d/"))
        .sort(),
    ).toEqual(["LSTAT /d/dir", "LSTAT /d/none"]);
    expect(namesOf(await list(place, listings, { types: ["dir"], count: 9 }))).toEqual(["dir"]);
  });
});

describe("roots", () => {
  test("are resolved once a connection and may be links themselves", async () => {
    const root = directory({
      tmp: link("/dev/shmem"),
      dev: directory({ shmem: directory({ trace: named(3) }), mem: named(0) }),
    });
    const { target, place, listings } = await arrange({}, { root }, ["/tmp"]);
    for (const path of ["/tmp", "/dev/shmem"]) {
      const page = await list(place, listings, { path });
      expect(page).toMatchObject({
        realPath: "/dev/shmem",
        entries: [{ type: "other", detail: "shm", size: 3 }],
      });
    }
    await expect(list(place, listings, { path: "/dev" })).rejects.toMatchObject({ code: "OUTSIDE_ROOTS" });
    expect(target.requests().filter((request) => request === "REALPATH /tmp")).toHaveLength(2);
    expect(target.requests()).not.toContain("REALPATH /dev");
  });

  test("that are missing lead nowhere, and do not keep the others from working", async () => {
    const { place, listings } = await arrange(files("a"), {}, ["/none/deep", "/d"]);
    expect(namesOf(await list(place, listings))).toEqual(["a"]);
    await expect(list(place, listings, { path: "/none/deep" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("hold also against a directory that is swapped for a link after it was looked at", async () => {
    let swap = (): void => {};
    const { target, place, listings } = await arrange(
      { sub: directory(files("a")) },
      {
        behave: (request, path) => {
          if (request === "OPENDIR" && path === "/d/sub") swap();
          return "answer";
        },
      },
    );
    swap = () =>
      target.replaceRoot(
        directory({ d: directory({ sub: link("/other") }), other: directory({ secret: file(1) }) }),
      );
    await expect(list(place, listings, { path: "/d/sub" })).rejects.toMatchObject({ code: "OUTSIDE_ROOTS" });
  });
});
