import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { afterEach, describe, expect, test } from "vitest";
import { createBench } from "./create-bench.ts";
import { putNode, spotOf } from "./scripted-target/changes.ts";
import type { Behaviour } from "./scripted-target/sftp-server.ts";
import { directory, fileWith } from "./scripted-target/tree.ts";
import { arrangeTransfers, big, noise } from "./transfer-bench.ts";

const bench = createBench();
afterEach(bench.end);
const arrange = (options = {}, args: string[] = []) => arrangeTransfers(bench, options, args);
const sha256 = (bytes: Buffer | string): string => createHash("sha256").update(bytes).digest("hex");

describe("file_get", () => {
  test("copies a file to where it is wanted, and else to a place of its own", async () => {
    const { call, local, localNames } = await arrange();
    expect(
      await call("file_get", { remote_path: "/srv/big", local_path: local("b"), verify: true }),
    ).toMatchObject({
      real_path: "/srv/big",
      local_path: local("b"),
      size: big.length,
      sha256: sha256(big),
      replaced: false,
    });
    expect((await readFile(local("b"))).equals(big)).toBe(true);
    const own = await call("file_get", { remote_path: "/srv/to" });
    expect(own).toMatchObject({
      real_path: "/srv/old",
      local_path: expect.stringMatching(/qnx-fs-mcp\/files\/old$/),
    });
    expect((await call("file_get", { remote_path: "/srv/old" })).local_path).toMatch(/\/old-2$/);
    expect(await readFile(own.local_path as string, "utf8")).toBe("old");
    expect(await call("file_get", { remote_path: "/srv/empty", local_path: local("e") })).toMatchObject({
      size: 0,
    });
    expect((await stat(local("e"))).size).toBe(0);
    expect(await localNames()).toEqual(["b", "e"]);
  });

  test("takes short answers for what they are", async () => {
    const { call, local } = await arrange({ store: { longestRead: 7_777 } });
    await call("file_get", { remote_path: "/srv/big", local_path: local("b") });
    expect((await readFile(local("b"))).equals(big)).toBe(true);
  });

  test("replaces a file only when it is told to, and never with --read-only", async () => {
    const { call, refuse, local } = await arrange();
    await writeFile(local("f"), "mine");
    const args = { remote_path: "/srv/old", local_path: local("f") };
    expect(await refuse("file_get", args)).toMatch(/^ALREADY_EXISTS: local_path/);
    expect(await readFile(local("f"), "utf8")).toBe("mine");
    expect(await call("file_get", { ...args, overwrite: true })).toMatchObject({ replaced: true });
    expect(await readFile(local("f"), "utf8")).toBe("old");
    const other = await arrange({}, ["--read-only"]);
    await writeFile(other.local("f"), "mine");
    const given = { remote_path: "/srv/old", local_path: other.local("f") };
    expect(await other.refuse("file_get", { ...given, overwrite: true })).toMatch(
      /^INVALID_ARGUMENT: overwrite/,
    );
    await other.call("file_get", { ...given, local_path: other.local("g") });
    expect(await readFile(other.local("f"), "utf8")).toBe("mine");
  });

  test("writes only into directories that it may use, through no link", async () => {
    const { refuse, local, folder } = await arrange();
    await symlink(folder, local("up"));
    await symlink(`${folder}/victim`, local("l"));
    const get = (local_path: string, more = {}) =>
      refuse("file_get", { remote_path: "/srv/old", local_path, ...more });
    expect(await get(`${folder}/x`)).toMatch(/^LOCAL_PATH_REFUSED: .*outside/);
    expect(await get(local("up", "x"))).toMatch(/^LOCAL_PATH_REFUSED: .*outside/);
    expect(await get(local("l"), { overwrite: true })).toMatch(/^LOCAL_PATH_REFUSED: .*link/);
    expect(await get(local("none", "x"))).toMatch(/^LOCAL_PATH_REFUSED: .*there is no directory/);
    expect(await get(local())).toMatch(/^LOCAL_PATH_REFUSED: .*is a directory/);
    expect((await readdir(folder)).sort()).toEqual(
      [".local", "config.yaml", "local"].filter((name) => name !== ".local"),
    );
  });

  test("copies nothing that is no file, and nothing outside the roots", async () => {
    const { tb, refuse, localNames, local } = await arrange();
    const get = (remote_path: string) => refuse("file_get", { remote_path, local_path: local("x") });
    expect(await get("/srv/pipe")).toMatch(/^NOT_A_FILE: /);
    expect(await get("/srv/sub")).toMatch(/^NOT_A_FILE: .*type dir/);
    expect(await get("/srv/out/passwd")).toMatch(/^OUTSIDE_ROOTS: /);
    expect(await get("/srv/none")).toMatch(/^NOT_FOUND: /);
    expect(tb.requests().filter((request) => request.startsWith("OPEN "))).toEqual([]);
    expect(
      await refuse("file_get", { remote_path: "/srv/big", max_mb: 1, local_path: local("y") }).catch(
        () => "fits",
      ),
    ).toBe("fits");
    expect(await localNames()).toEqual(["y"]);
  });

  test("notices a file that changes while it is copied, and takes one that grows when told to", async () => {
    let changed: Buffer = Buffer.alloc(0);
    const changing = () => {
      let reads = 0;
      return (request: string): Behaviour => {
        if (request === "READ" && ++reads === 3) {
          const spot = spotOf(current.tb.root(), "/srv/big");
          if (spot) putNode(spot, fileWith(changed, { mtime: 1_900_000_777 }));
        }
        return "answer";
      };
    };
    let current = await arrange({ behave: changing() });
    const get = (more = {}) => ({ remote_path: "/srv/big", local_path: current.local("b"), ...more });
    changed = noise(1_000_000, 9);
    expect(await current.refuse("file_get", get())).toMatch(/^CHANGED_WHILE_READING: /);
    expect(await current.localNames()).toEqual([]);
    current = await arrange({ behave: changing() });
    changed = Buffer.concat([big, Buffer.from("more")]);
    expect(await current.refuse("file_get", get())).toMatch(/^CHANGED_WHILE_READING: /);
    current = await arrange({ behave: changing() });
    const grown = await current.call("file_get", get({ allow_growing: true }));
    expect(grown).toMatchObject({
      size: big.length,
      sha256: sha256(big),
      note: expect.stringMatching(/1000004 bytes/),
    });
    current = await arrange({ behave: changing() });
    changed = big.subarray(0, 400_000);
    expect(await current.refuse("file_get", get({ allow_growing: true }))).toMatch(
      /^CHANGED_WHILE_READING: /,
    );
    expect(await current.localNames()).toEqual([]);
  });

  test("copies a directory without links and what may not be read, and says so", async () => {
    const { call, refuse, local, localNames, tb } = await arrange();
    const args = { remote_path: "/srv/tree", local_path: local("t"), recursive: true };
    expect(await call("file_get", args)).toMatchObject({
      files: 2,
      size: 2,
      sha256: null,
      skipped: [{ path: "deep/l", reason: "link" }],
    });
    expect(await readFile(local("t", "deep", "b b'c;touch m"), "utf8")).toBe("b");
    expect(await readdir(local("t", "none"))).toEqual([]);
    expect(await refuse("file_get", args)).toMatch(/^ALREADY_EXISTS: local_path/);
    await writeFile(local("t", "a"), "changed");
    await writeFile(local("t", "mine"), "mine");
    await call("file_get", { ...args, overwrite: true });
    expect(await readFile(local("t", "a"), "utf8")).toBe("a");
    expect(await readFile(local("t", "mine"), "utf8")).toBe("mine");
    const spot = spotOf(tb.root(), "/srv/tree/deep/locked");
    if (spot) putNode(spot, fileWith("x", { denied: true }));
    const odd = spotOf(tb.root(), "/srv/tree/caf\xe9.txt");
    if (odd) putNode(odd, fileWith("x"));
    const closed = spotOf(tb.root(), "/srv/tree/closed");
    if (closed) putNode(closed, directory({ in: fileWith("x") }, { denied: true }));
    expect(await call("file_get", { ...args, local_path: local("u") })).toMatchObject({
      files: 2,
      skipped: expect.arrayContaining([
        { path: "caf\ufffd.txt", reason: "a name that cannot be used" },
        { path: "closed", reason: "permission denied" },
        { path: "deep/locked", reason: "permission denied" },
        { path: "deep/l", reason: "link" },
      ]),
      note: "Left out: 4; skipped says why.",
    });
    expect(await readdir(local("u", "deep"))).toEqual(["b b'c;touch m"]);
    expect(await localNames()).toEqual(["t", "u"]);
  });
});

describe("a line that dies in a get", () => {
  const dies = (nth: number) => {
    let seen = 0;
    return (name: string): Behaviour => (name === "READ" && ++seen === nth ? "drop" : "answer");
  };

  test("leaves nothing", async () => {
    const { refuse, localNames, local } = await arrange({ behave: dies(12) });
    const text = await refuse("file_get", { remote_path: "/srv/big", local_path: local("b") });
    expect(text).toMatch(/^CONNECTION_LOST: /);
    expect(await localNames()).toEqual([]);
  });

  test("leaves a part with resume, and the next call goes on from it", async () => {
    const { tb, call, refuse, localNames, local } = await arrange({ behave: dies(20) });
    const args = { remote_path: "/srv/big", local_path: local("b"), resume: true };
    expect(await refuse("file_get", args)).toMatch(/^CONNECTION_LOST: /);
    expect(await localNames()).toEqual(["b.part", "b.part.json"]);
    const before = tb.requests().length;
    const got = await call("file_get", args);
    expect(got.sha256).toBe(sha256(big));
    expect(got.resumed_at).toBeGreaterThan(0);
    expect((await readFile(local("b"))).equals(big)).toBe(true);
    expect(await localNames()).toEqual(["b"]);
    const reads = tb
      .requests()
      .slice(before)
      .filter((request) => request.startsWith("READ ")).length;
    expect(reads).toBeLessThan(Math.ceil(big.length / 32_768));
  });

  test.each([
    [
      "the file is another one now",
      async (bench: Awaited<ReturnType<typeof arrange>>) => {
        const spot = spotOf(bench.tb.root(), "/srv/big");
        if (spot) putNode(spot, fileWith(noise(1_000_000, 5), { mtime: 1_900_000_999 }));
      },
    ],
    [
      "the part's end is not that of the file",
      async ({ local }: Awaited<ReturnType<typeof arrange>>) => {
        const part = await readFile(local("b.part"));
        part[part.length - 5] = (part[part.length - 5] ?? 0) ^ 1;
        await writeFile(local("b.part"), part);
      },
    ],
  ])("begins anew when %s", async (_, change) => {
    const arranged = await arrange({ behave: dies(20) });
    const { tb, call, refuse, local } = arranged;
    const args = { remote_path: "/srv/big", local_path: local("b"), resume: true };
    await refuse("file_get", args);
    await change(arranged);
    const got = await call("file_get", args);
    expect(got.resumed_at).toBe(0);
    expect((await readFile(local("b"))).equals(arranged.bytes("/srv/big") as Buffer)).toBe(true);
    expect(tb.logins()).toBe(2);
  });

  test("trusts what lies before the end of a part, unless the whole is to be verified", async () => {
    const arranged = await arrange({ behave: dies(20) });
    const { call, refuse, local, localNames } = arranged;
    const args = { remote_path: "/srv/big", local_path: local("b"), resume: true };
    await refuse("file_get", args);
    const part = await readFile(local("b.part"));
    part[0] = 255 - (part[0] as number);
    await writeFile(local("b.part"), part);
    expect(await refuse("file_get", { ...args, verify: true })).toMatch(/^VERIFY_FAILED: .*other bytes/);
    expect(await localNames()).toEqual([]);
    expect((await call("file_get", { ...args, verify: true })).resumed_at).toBe(0);
    expect((await readFile(local("b"))).equals(arranged.bytes("/srv/big") as Buffer)).toBe(true);
  });

  test("leaves a file alone that only looks like a part", async () => {
    const { refuse, local } = await arrange();
    await writeFile(local("b.part"), "mine");
    const text = await refuse("file_get", { remote_path: "/srv/big", local_path: local("b"), resume: true });
    expect(text).toMatch(/^ALREADY_EXISTS: .*b\.part/);
    expect(await readFile(local("b.part"), "utf8")).toBe("mine");
  });
});

test("a get that is cancelled stops asking, and the next call uses the same connection", async () => {
  const controller = new AbortController();
  let reads = 0;
  const { tb, server, call, local, localNames } = await arrange({
    behave: (request: string) => {
      if (request === "READ" && ++reads === 3) controller.abort();
      return "answer";
    },
  });
  const spot = spotOf(tb.root(), "/srv/huge");
  if (spot) putNode(spot, fileWith(noise(16_000_000)));
  const args = { target: "tb", remote_path: "/srv/huge", local_path: local("h") };
  await expect(server.call("file_get", args, { signal: controller.signal })).rejects.toThrow();
  await call("file_stat", { paths: ["/srv"] });
  await expect.poll(localNames).toEqual([]);
  expect(reads).toBeLessThan(16_000_000 / 32_768 / 2);
  expect(tb.logins()).toBe(1);
  await mkdir(local("still-usable"));
});
