import { readFile } from "node:fs/promises";
import { createConnection, createServer } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { packetType } from "../src/adapters/sftp/packet-type.ts";
import { WireWriter } from "../src/adapters/sftp/wire.ts";
import { createBench } from "./create-bench.ts";
import { describeScripted } from "./open-pool.ts";
import type { ScriptedTargetOptions } from "./scripted-target/start-scripted-target.ts";
import { directory, fileWith, link, type Node, named } from "./scripted-target/tree.ts";

const { target, serve, end, atEnd } = createBench();
afterEach(end);

/** The built server with one target that does odd things. */
async function odd(options: ScriptedTargetOptions, settings: object = {}) {
  const tb = await target(options);
  const served = await serve({ targets: { tb: describeScripted(tb, { write_roots: ["/"], ...settings }) } });
  return {
    tb,
    data: (tool: string, args: object) => served.data(tool, { target: "tb", ...args }),
    refusal: (tool: string, args: object) => served.refusal(tool, { target: "tb", ...args }),
  };
}

/** An answer to one kind of request about one path. */
function forged(name: string, about: string, answer: (id: number) => Buffer): ScriptedTargetOptions["forge"] {
  return (request, path, id) => (request === name && path === about ? answer(id) : undefined);
}

const nameReply = (id: number, ...names: readonly string[]): Buffer => {
  const writer = new WireWriter().uint8(packetType.name).uint32(id).uint32(names.length);
  for (const each of names) writer.string(each).string("").uint32(4).uint32(0o100644);
  return writer.packet();
};

const claiming = (attributes: Node["attributes"]): Node => ({ ...fileWith("content"), attributes });

describe("what no file can be", () => {
  const root = () =>
    directory({
      d: directory({
        endless: claiming({ mode: 0o100644, size: 2 ** 64 - 2 ** 12 }),
        largest: claiming({ mode: 0o100644, size: 2 ** 53 - 1 }),
        large: claiming({ mode: 0o100644, size: 2 ** 40, mtime: 0 }),
        late: claiming({ mode: 0o100644, size: 1, mtime: 2 ** 32 - 1, uid: 2 ** 32 - 1, gid: 0 }),
        bare: claiming({}),
      }),
    });

  test("does not keep a directory from being shown, and a size that means nothing is not told", async () => {
    const { data } = await odd({ root: root() });
    const { entries } = await data("file_list", { path: "/d" });
    expect(entries).toMatchObject([
      { name: "bare", type: "other", size: null, mode: null, mtime: null, uid: null },
      { name: "endless", type: "file", size: null },
      { name: "large", size: 2 ** 40, mtime: "1970-01-01T00:00:00.000Z" },
      { name: "largest", size: 2 ** 53 - 1 },
      { name: "late", mtime: "2106-02-07T06:28:15.000Z", uid: 2 ** 32 - 1 },
    ]);
    expect(await data("file_read", { path: "/d/endless" })).toMatchObject({ content: "content", size: null });
    expect(await data("file_find", { path: "/", sort: "size", limit: 1 })).toMatchObject({
      entries: [{ path: "/d/largest" }],
    });
  });

  test("is added up to a number that every reader takes", async () => {
    const { data } = await odd({ root: root() });
    const { tree } = await data("disk_usage", { path: "/", tree: true });
    expect(tree).toMatchObject({ bytes: Number.MAX_SAFE_INTEGER, files: 4 });
    const counted = await data("file_delete", { path: "/d", recursive: true, dry_run: true });
    expect(counted).toMatchObject({ count: 6, bytes: Number.MAX_SAFE_INTEGER });
  });

  test("is told by no file system either", async () => {
    const endless = Buffer.alloc(88, 0xff);
    const { data } = await odd({
      extensions: { "statvfs@openssh.com": "2" },
      forge: (request, _path, id) =>
        request === "EXTENDED"
          ? new WireWriter().uint8(packetType.extendedReply).uint32(id).bytes(endless).packet()
          : undefined,
    });
    expect(await data("disk_usage", { path: "/data" })).toMatchObject({
      total_bytes: null,
      free_bytes: null,
    });
    expect(await data("file_put", { remote_path: "/data/x", text: "x" })).toMatchObject({ size: 1 });
  });
});

test("a file of which the target tells no size is copied whole, or not at all", async () => {
  const content = Buffer.alloc(17 * 2 ** 20, "0123456789abcde\n");
  const unsized: Node = { attributes: { mode: 0o100644 }, content };
  const { data, refusal } = await odd({ root: directory({ d: directory({ unsized }) }) });
  const got = await data("file_get", { remote_path: "/d/unsized" });
  expect((await readFile(got.local_path as string)).equals(content)).toBe(true);
  expect(await refusal("file_get", { remote_path: "/d/unsized", max_mb: 16 })).toMatch(
    /^INVALID_ARGUMENT: max_mb/,
  );
  const { files } = await data("file_hash", { paths: ["/d/unsized"] });
  expect(files).toMatchObject([{ sha256: null, error: { code: "REFUSED_BY_TARGET" } }]);
});

describe("real paths", () => {
  const root = () =>
    directory({
      dev: directory({ shmem: directory({ x: named(4) }) }),
      etc: directory({ passwd: fileWith("root") }),
      data: directory({ a: fileWith("a") }),
      tmp: link("/dev/shmem"),
    });

  test("may end in a slash, as links of QNX's process manager do", async () => {
    const forge = forged("REALPATH", "/tmp", (id) => nameReply(id, "/dev/shmem/"));
    const { data, tb } = await odd({ root: root(), forge }, { read_roots: ["/tmp"], write_roots: ["/tmp"] });
    expect(await data("file_list", { path: "/tmp" })).toMatchObject({ real_path: "/dev/shmem", returned: 1 });
    expect(await data("file_put", { remote_path: "/tmp/y", text: "y" })).toMatchObject({
      real_path: "/dev/shmem/y",
    });
    expect(tb.requests().filter((request) => request.includes("//"))).toEqual([]);
  });

  test.each(["/data/../etc/passwd", "/data/./../etc/passwd", "//etc/passwd"])(
    "as %s lead out of the roots, and nothing there is asked for",
    async (told) => {
      const forge = forged("REALPATH", "/data/a", (id) => nameReply(id, told));
      const { refusal, tb } = await odd({ root: root(), forge }, { read_roots: ["/data"], write_roots: [] });
      expect(await refusal("file_read", { path: "/data/a" })).toMatch(/^OUTSIDE_ROOTS: /);
      expect(tb.requests().filter((request) => request.startsWith("OPEN"))).toEqual([]);
    },
  );

  test.each(["", "data/a", "/../.."])("as %j are none", async (told) => {
    const forge = forged("REALPATH", "/data/a", (id) => nameReply(id, told));
    const { refusal } = await odd({ root: root(), forge });
    expect(await refusal("file_read", { path: "/data/a" })).toMatch(/^REFUSED_BY_TARGET: .*REALPATH/);
  });
});

describe("a directory without an end", () => {
  const answers: readonly (readonly [string, (id: number) => Buffer])[] = [
    ["that begins anew for ever", (id) => nameReply(id, "a", "b")],
    ["of which nothing ever comes", (id) => nameReply(id)],
  ];
  test.each(answers)("%s is given up, and the rest is found", async (_, answer) => {
    const { data, refusal } = await odd({ forge: forged("READDIR", "/etc", answer) });
    expect(await refusal("file_list", { path: "/etc" })).toMatch(/^REFUSED_BY_TARGET: .*again and again/);
    expect(await refusal("file_get", { remote_path: "/etc", recursive: true })).toMatch(/^REFUSED_BY_TARGET/);
    const found = await data("file_find", { path: "/", pattern: "can.log" });
    expect(found).toMatchObject({ returned: 1, note: expect.stringContaining('"/etc"') });
  });

  test("is not one that several managers serve alike", async () => {
    const alike = Array.from({ length: 50 }, () => ["same", fileWith("x")] as const);
    const { data } = await odd({ root: directory({ d: directory(alike) }), batch: 1 });
    expect(await data("file_list", { path: "/d" })).toMatchObject({ entries: [{ duplicate: true }] });
  });
});

describe("answers that are none", () => {
  const answers: readonly (readonly [string, (id: number) => Buffer])[] = [
    ["an empty packet", () => Buffer.alloc(4)],
    ["a packet of 4 GiB", () => Buffer.alloc(4, 0xff)],
    ["text", () => Buffer.from("Message from syslogd: out of memory\n")],
    [
      "more names than there are",
      (id) =>
        new WireWriter()
          .uint8(packetType.name)
          .uint32(id)
          .uint32(2 ** 32 - 1)
          .packet(),
    ],
    [
      "a packet of another kind",
      (id) => new WireWriter().uint8(packetType.handle).uint32(id).string("h").packet(),
    ],
  ];
  test.each(answers)("such as %s fail the call, and the next one works", async (_, answer) => {
    const { data, refusal } = await odd({ forge: forged("READDIR", "/etc", answer) });
    expect(await refusal("file_list", { path: "/etc" })).toMatch(/^CONNECTION_LOST: .*\nNext: Try again/);
    expect(await data("file_list", { path: "/system" })).toMatchObject({ returned: 2 });
  });
});

test("an answer about the room that is none fails the call, and not as a fault of this server", async () => {
  const wrong = [
    (id: number) => new WireWriter().uint8(packetType.handle).uint32(id).string("h").packet(),
    (id: number) => new WireWriter().uint8(packetType.extendedReply).uint32(id).uint64(1).packet(),
  ];
  for (const answer of wrong) {
    const forge: ScriptedTargetOptions["forge"] = (request, _path, id) =>
      request === "EXTENDED" ? answer(id) : undefined;
    const { data, refusal } = await odd({ extensions: { "statvfs@openssh.com": "2" }, forge });
    expect(await refusal("disk_usage", { path: "/data" })).toMatch(/^CONNECTION_LOST: /);
    expect(await data("file_list", { path: "/system" })).toMatchObject({ returned: 2 });
  }
});

test("a target that breaks the protocol again and again costs no call but the one that it breaks", async () => {
  const { tb, data, refusal } = await odd({ forge: forged("READDIR", "/etc", () => Buffer.alloc(4)) });
  for (let round = 1; round <= 5; round++) {
    expect(await refusal("file_list", { path: "/etc" })).toMatch(
      /^CONNECTION_LOST: .*broke the SFTP protocol/,
    );
    expect(await data("file_list", { path: "/system" })).toMatchObject({ returned: 2 });
  }
  expect(tb.logins()).toBe(2);
});

describe("the beginning of a conversation", () => {
  test("may be in an older version of SFTP, but in none that was not asked for", async () => {
    const older = await odd({ sftpVersion: 2 });
    expect(await older.data("file_list", { path: "/etc" })).toMatchObject({ returned: 3 });
    const newer = await odd({ sftpVersion: 6 });
    expect(await newer.refusal("file_list", { path: "/etc" })).toMatch(/^SFTP_MISSING: .*version 6/);
  });

  test("with what a login script prints is told as that, with what to do", async () => {
    const { refusal } = await odd({ sftp: "noise" });
    expect(await refusal("file_list", { path: "/etc" })).toMatch(
      /^SFTP_MISSING: .*prints text at login.*"Welcome to the bench!".*\nNext: .*interactive shells.*internal-sftp/s,
    );
  });

  test("may have lines before the name of the SSH server", async () => {
    const tb = await target();
    const greeting = createServer((socket) => {
      const onward = createConnection(tb.port, tb.host).on("error", () => {});
      socket.on("error", () => {}).write("Welcome\r\nAuthorised use only\r\n");
      socket.pipe(onward).pipe(socket);
    });
    await new Promise<void>((resolve) => greeting.listen(0, "127.0.0.1", resolve));
    atEnd(() => new Promise((resolve) => greeting.close(() => resolve())));
    const { port } = greeting.address() as { port: number };
    const { data } = await serve({ targets: { tb: describeScripted(tb, { port }) } });
    expect(await data("file_list", { target: "tb", path: "/etc" })).toMatchObject({ returned: 3 });
  });
});

test("a jump that forwards nothing is told as that, with the setting", async () => {
  const [tb, bastion] = [await target(), await target({ forwards: false })];
  const { refusal } = await serve({
    targets: { tb: describeScripted(tb, { jump: "bastion" }) },
    jumps: { bastion: describeScripted(bastion) },
  });
  expect(await refusal("file_list", { target: "tb", path: "/" })).toMatch(
    /^TARGET_UNREACHABLE: .*the jump before it could not reach it: .*AllowTcpForwarding/,
  );
});
