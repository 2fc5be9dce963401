import { createHash } from "node:crypto";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { afterEach, describe, expect, test } from "vitest";
import { createBench } from "./create-bench.ts";
import type { Behaviour } from "./scripted-target/sftp-server.ts";
import { fileWith } from "./scripted-target/tree.ts";
import { arrangeTransfers, big, noise } from "./transfer-bench.ts";

const bench = createBench();
afterEach(bench.end);
const arrange = (options = {}, args: string[] = []) => arrangeTransfers(bench, options, args);
const sha256 = (bytes: Buffer | string): string => createHash("sha256").update(bytes).digest("hex");
const posixRename = { "posix-rename@openssh.com": "1", "fsync@openssh.com": "1" };

describe("file_put", () => {
  test("puts a file, a text, bytes and nothing at all", async () => {
    const { call, bytes, node, local, leftovers } = await arrange();
    const data = noise(3_000_001, 7);
    await writeFile(local("app"), data);
    expect(
      await call("file_put", { local_path: local("app"), remote_path: "/srv/app", mode: "0755" }),
    ).toMatchObject({
      real_path: "/srv/app",
      size: data.length,
      sha256: sha256(data),
      mode: "0755",
      replaced: false,
      atomic: true,
    });
    expect(bytes("/srv/app")?.equals(data)).toBe(true);
    await call("file_put", { text: "größe\n", remote_path: "/srv/t" });
    expect(bytes("/srv/t")?.toString()).toBe("größe\n");
    await call("file_put", { data_base64: "AP8=", remote_path: "/srv/sub/b" });
    expect(bytes("/srv/sub/b")).toEqual(Buffer.of(0, 255));
    expect(await call("file_put", { text: "", remote_path: "/srv/nothing" })).toMatchObject({ size: 0 });
    expect(bytes("/srv/nothing")?.length).toBe(0);
    expect((node("/srv/t")?.attributes.mode ?? 0) & 0o7777).toBe(0o644);
    expect(leftovers()).toEqual([]);
  });

  test.each([
    ["in one step", posixRename, true],
    ["by moving the old one aside", {}, false],
  ])("replaces a file %s, twice, and keeps its mode", async (_, extensions, atomic) => {
    const { call, bytes, leftovers } = await arrange({ extensions });
    for (const text of ["new", "newer"]) {
      const put = await call("file_put", { text, remote_path: "/srv/old", overwrite: true });
      expect(put).toMatchObject({ replaced: true, atomic, mode: "0755" });
      expect(bytes("/srv/old")?.toString()).toBe(text);
    }
    expect(leftovers()).toEqual([]);
  });

  test("replaces nothing unasked, no directory and no link, and leaves the roots", async () => {
    const { refuse, bytes, leftovers } = await arrange();
    const put = (remote_path: string, more = {}) => refuse("file_put", { text: "x", remote_path, ...more });
    expect(await put("/srv/old")).toMatch(/^ALREADY_EXISTS: /);
    expect(await put("/srv/sub", { overwrite: true })).toMatch(/^NOT_A_FILE: .*type dir/);
    expect(await put("/srv/to", { overwrite: true })).toMatch(/^IS_LINK: /);
    expect(await put("/srv/pipe", { overwrite: true })).toMatch(/^NOT_A_FILE: .*type fifo/);
    expect(await put("/srv/out/x")).toMatch(/^OUTSIDE_ROOTS: .*a link leads/);
    expect(await put("/etc/x")).toMatch(/^OUTSIDE_ROOTS: /);
    expect(await put("/srv")).toMatch(/^INVALID_ARGUMENT: .*is a root/);
    expect(await put("/srv/none/x")).toMatch(/^NOT_FOUND: /);
    expect(await put("/srv/old/x")).toMatch(/^NOT_A_DIRECTORY: .*"\/srv\/old"/);
    expect(await put("/fixed/x")).toMatch(/^PERMISSION_DENIED: /);
    expect(bytes("/srv/old")?.toString()).toBe("old");
    expect(leftovers()).toEqual([]);
  });

  test("writes into RAM under the final name, and not over what is there", async () => {
    const { call, refuse, bytes } = await arrange();
    const put = await call("file_put", { text: "ram", remote_path: "/tmp/x" });
    expect(put).toMatchObject({
      real_path: "/dev/shmem/x",
      atomic: false,
      note: expect.stringMatching(/RAM/),
    });
    expect(bytes("/dev/shmem/x")?.toString()).toBe("ram");
    expect(await refuse("file_put", { text: "y", remote_path: "/tmp/x" })).toMatch(/^ALREADY_EXISTS: /);
    const over = await refuse("file_put", { text: "y", remote_path: "/tmp/x", overwrite: true });
    expect(over).toMatch(/^INVALID_ARGUMENT: overwrite.*RAM/);
    expect(bytes("/dev/shmem/x")?.toString()).toBe("ram");
  });

  test("finds out a target that keeps less than it says", async () => {
    const { refuse, leftovers, node } = await arrange({ store: { keepsOnly: 100_000 } });
    for (const verify of [true, false]) {
      const text = await refuse("file_put", {
        data_base64: noise(500_000).toString("base64"),
        remote_path: "/srv/x",
        verify,
      });
      expect(text).toMatch(/^VERIFY_FAILED: .*100000 of 500000 bytes/);
    }
    expect(
      await refuse("file_put", { data_base64: noise(200_000).toString("base64"), remote_path: "/tmp/x" }),
    ).toMatch(/^VERIFY_FAILED/);
    expect(leftovers()).toEqual([]);
    expect(node("/srv/x")).toBeUndefined();
    expect(node("/dev/shmem/x")).toBeUndefined();
  });

  test.each([
    ["before it begins, where the target tells its room", { "statvfs@openssh.com": "2" }],
    ["in the middle, where it does not", {}],
  ])("finds a full disk %s, and leaves nothing", async (_, extensions) => {
    const { refuse, leftovers, node } = await arrange({
      extensions,
      store: { capacity: big.length + 300_000 },
    });
    const text = await refuse("file_put", {
      data_base64: noise(1_000_000).toString("base64"),
      remote_path: "/srv/x",
    });
    expect(text).toMatch("statvfs@openssh.com" in extensions ? /^NO_SPACE: / : /^REFUSED_BY_TARGET: .*full/);
    expect(leftovers()).toEqual([]);
    expect(node("/srv/x")).toBeUndefined();
  });

  test("removes what puts left there more than a day ago, by the target's clock", async () => {
    const { call, node } = await arrange();
    const old = Math.floor(Date.now() / 1000) - 100_000;
    const entries = node("/srv")?.entries as [string, ReturnType<typeof fileWith>][];
    entries.push([".qfs-0123abcd.part", fileWith("x", { mtime: old })]);
    entries.push([".qfs-0123abce.part", fileWith("x", { mtime: old + 90_000 })]);
    entries.push([".qfs-0123abcd.old", fileWith("x", { mtime: old })]);
    entries.push(["mine.part", fileWith("x", { mtime: old })]);
    await call("file_put", { text: "x", remote_path: "/srv/x" });
    const names = entries.map(([name]) => name);
    expect(names).not.toContain(".qfs-0123abcd.part");
    expect(names).toEqual(expect.arrayContaining([".qfs-0123abce.part", ".qfs-0123abcd.old", "mine.part"]));
  });

  test("copies a directory, leaves equal files alone and links out", async () => {
    const { call, bytes, node, local } = await arrange({ extensions: posixRename });
    await mkdir(local("t", "d", "none"), { recursive: true });
    await writeFile(local("t", "one"), "1");
    await writeFile(local("t", "d", "b b'c;touch m"), "2");
    await symlink("/etc/passwd", local("t", "l"));
    const args = { local_path: local("t"), remote_path: "/srv/t", recursive: true };
    expect(await call("file_put", args)).toMatchObject({
      files: 2,
      identical: 0,
      size: 2,
      sha256: null,
      skipped: [{ path: "l", reason: "link" }],
    });
    expect(bytes("/srv/t/d/b b'c;touch m")?.toString()).toBe("2");
    expect(node("/srv/t/d/none")?.entries).toEqual([]);
    await writeFile(local("t", "one"), "3");
    expect(await call("file_put", { ...args, overwrite: true })).toMatchObject({ files: 2, identical: 1 });
    expect(bytes("/srv/t/one")?.toString()).toBe("3");
  });

  test("takes host files only from the directories that it may use", async () => {
    const { refuse, local, folder, node } = await arrange();
    await writeFile(`${folder}/secret`, "s");
    await symlink(`${folder}/secret`, local("l"));
    await symlink(folder, local("up"));
    const put = (local_path: string) => refuse("file_put", { local_path, remote_path: "/srv/x" });
    expect(await put(`${folder}/secret`)).toMatch(
      /^LOCAL_PATH_REFUSED: .*outside.*\nNext: .*local_roots: \[/,
    );
    expect(await put(local("l"))).toMatch(/^LOCAL_PATH_REFUSED: .*is a link/);
    expect(await put(local("up", "secret"))).toMatch(/^LOCAL_PATH_REFUSED: .*outside/);
    expect(await put(`${local()}/../secret`)).toMatch(/^LOCAL_PATH_REFUSED: .*outside/);
    expect(await put("relative")).toMatch(/^LOCAL_PATH_REFUSED: .*not an absolute path/);
    expect(await put(local("none"))).toMatch(/^LOCAL_PATH_REFUSED: .*no such file/);
    expect(await put(local())).toMatch(/^LOCAL_PATH_REFUSED: .*recursive: true/s);
    expect(node("/srv/x")).toBeUndefined();
  });

  test("wants one content, of a size that was agreed to", async () => {
    const { refuse, local } = await arrange();
    await writeFile(local("f"), noise(1_100_000));
    const put = (more: object) => refuse("file_put", { remote_path: "/srv/x", ...more });
    expect(await put({})).toMatch(/^INVALID_ARGUMENT: local_path: none/);
    expect(await put({ text: "a", data_base64: "" })).toMatch(/more than one/);
    expect(await put({ data_base64: "%%%" })).toMatch(/not base64/);
    expect(await put({ local_path: local("f"), max_mb: 1 })).toMatch(/^INVALID_ARGUMENT: max_mb/);
  });
});

describe("a line that dies in a put", () => {
  const dies = (request: string, nth: number) => {
    let seen = 0;
    return (name: string): Behaviour => (name === request && ++seen === nth ? "drop" : "answer");
  };

  test.each([
    ["OPEN", 1],
    ["WRITE", 1],
    ["WRITE", 20],
    ["FSETSTAT", 1],
    ["CLOSE", 1],
    ["READ", 3],
  ])("at %s %i leaves the old file and nothing else", async (request, nth) => {
    const { tb, refuse, bytes, leftovers } = await arrange({ behave: dies(request, nth) });
    const text = await refuse("file_put", {
      data_base64: noise(1_000_000).toString("base64"),
      remote_path: "/srv/old",
      overwrite: true,
    });
    expect(text).toMatch(/^CONNECTION_LOST: /);
    expect(bytes("/srv/old")?.toString()).toBe("old");
    expect(leftovers()).toEqual([]);
    expect(tb.logins()).toBe(2);
  });

  test.each([1, 2])("at renaming step %i leaves the old file or the new one", async (nth) => {
    const { server, bytes, leftovers } = await arrange({ behave: dies("RENAME", nth) });
    const args = { target: "tb", text: "new", remote_path: "/srv/old", overwrite: true };
    const { isError, text } = await server.call("file_put", args);
    // The scripted target does what it was asked before it drops the line.
    if (nth === 1) expect(text).toMatch(/^CONNECTION_LOST: /);
    else expect(isError, text).toBe(false);
    expect(bytes("/srv/old")?.toString()).toBe(nth === 1 ? "old" : "new");
    expect(leftovers()).toEqual([]);
  });

  test("and a target that stays away leave a failure that names what is left", async () => {
    let cut = false;
    const { tb, refuse } = await arrange({
      behave: (request: string) => {
        if (request === "WRITE") cut = true;
        return cut ? "drop" : "answer";
      },
    });
    const text = await refuse("file_put", { text: "x", remote_path: "/srv/x" });
    expect(text).toMatch(
      /^OUTCOME_UNKNOWN: .*"\/srv\/x" was not changed; there may be left: "\/srv\/\.qfs-[0-9a-f]{8}\.part"/,
    );
    expect(tb.logins()).toBeGreaterThan(1);
  });
});

test("a put that is cancelled stops sending and leaves nothing", async () => {
  const controller = new AbortController();
  let writes = 0;
  const { tb, server, leftovers, local, node, call } = await arrange({
    behave: (request: string) => {
      if (request === "WRITE" && ++writes === 5) controller.abort();
      return "answer";
    },
  });
  await writeFile(local("f"), noise(8_000_000));
  const args = { target: "tb", local_path: local("f"), remote_path: "/srv/x" };
  await expect(server.call("file_put", args, { signal: controller.signal })).rejects.toThrow();
  await expect.poll(() => tb.requests().filter((request) => request.startsWith("REMOVE")).length).toBe(1);
  expect(leftovers()).toEqual([]);
  expect(node("/srv/x")).toBeUndefined();
  expect(writes).toBeLessThan(8_000_000 / 32_768 / 2);
  await call("file_stat", { paths: ["/srv"] });
  expect(await readFile(local("f"))).toHaveLength(8_000_000);
});
