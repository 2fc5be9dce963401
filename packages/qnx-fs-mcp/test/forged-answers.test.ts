import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packetType, statusCode } from "../src/adapters/sftp/packet-type.ts";
import { WireWriter } from "../src/adapters/sftp/wire.ts";
import { createBench, type Served } from "./create-bench.ts";
import { describeScripted } from "./open-pool.ts";
import type { ScriptedTarget } from "./scripted-target/start-scripted-target.ts";
import { directory, fileWith, link, named } from "./scripted-target/tree.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Answers that no request expects, or that hold what no target should tell: the kind of packet, and what is in it. */
const answers: Readonly<Record<string, readonly [type: number, fill: (writer: WireWriter) => WireWriter]>> = {
  OK: [packetType.status, (body) => body.uint32(statusCode.ok).string("").string("")],
  "an unknown status": [
    packetType.status,
    (body) =>
      body
        .uint32(99)
        .string(Buffer.of(0xff, 0x0a, 0))
        .string(""),
  ],
  "a handle": [packetType.handle, (body) => body.string(Buffer.alloc(300, 0xff))],
  data: [packetType.data, (body) => body.string(Buffer.alloc(40_000, 0x0a))],
  "odd names": [
    packetType.name,
    (body) =>
      ["", "/", "a/../b", Buffer.of(0xff, 0)].reduce<WireWriter>(
        (names, name) => names.string(name).string("?").uint32(0),
        body.uint32(4),
      ),
  ],
  "the largest attributes": [packetType.attrs, (body) => body.uint32(15).bytes(Buffer.alloc(28, 0xff))],
  "the largest numbers": [packetType.extendedReply, (body) => body.bytes(Buffer.alloc(88, 0xff))],
  "an unknown packet": [77, (body) => body.bytes(Buffer.alloc(9, 0xff))],
};

const tree = () =>
  directory({
    d: directory({ f: fileWith("a\nb\n"), l: link("f"), e: directory({ g: fileWith("g") }) }),
    dev: directory({ shmem: directory({ x: named(4) }) }),
    tmp: link("/dev/shmem"),
  });

const calls: readonly (readonly [tool: string, args: object])[] = [
  ["target_list", { probe: true }],
  ["file_list", { path: "/d" }],
  ["file_stat", { paths: ["/d/f", "/d/l"] }],
  ["file_read", { path: "/d/f", tail_lines: 1 }],
  ["file_get", { remote_path: "/d", recursive: true }],
  ["file_put", { remote_path: "/d/f", text: "xy", overwrite: true }],
  ["file_put", { remote_path: "/tmp/new", text: "x" }],
  ["file_find", { path: "/d", sort: "size" }],
  ["file_grep", { path: "/d", pattern: "b", context: 1 }],
  ["file_hash", { paths: ["/d/f"] }],
  ["file_hash", { paths: ["/d"], local_path: "HOST" }],
  ["disk_usage", { path: "/d", tree: true }],
  ["dir_create", { path: "/d/new/deep", parents: true }],
  ["file_move", { path: "/d/f", new_path: "/d/e/g", overwrite: true }],
  ["file_set_mode", { path: "/d/f", mode: "0600" }],
  ["file_delete", { path: "/d/e", recursive: true, expected_count: 2 }],
];

const { target, serve, end, atEnd } = createBench();
let tb: ScriptedTarget;
let served: Served;
let host: string;
/** The kind of request that is answered wrongly now, and how. */
let wrong: { readonly request: string; readonly answer: (typeof answers)[string] } | undefined;

beforeAll(async () => {
  const { folder, remove } = await temporaryFolder();
  atEnd(remove);
  host = folder;
  await writeFile(path.join(folder, "f"), "a\nb\n");
  tb = await target({
    extensions: { "posix-rename@openssh.com": "1", "statvfs@openssh.com": "2", "fsync@openssh.com": "1" },
    forge: (request, _path, id) => {
      if (wrong === undefined || request !== wrong.request) return undefined;
      const [type, fill] = wrong.answer;
      return fill(new WireWriter().uint8(type).uint32(id)).packet();
    },
  });
  served = await serve({
    local_roots: [host],
    targets: { tb: describeScripted(tb, { write_roots: ["/d", "/tmp"] }) },
  });
});
afterAll(end);

test.each(calls)("whatever a target answers, %s %j fails as its fault or works", async (tool, given) => {
  const { local_path: local, ...rest } = given as { local_path?: string };
  const args = {
    ...rest,
    ...(local !== undefined && { local_path: host }),
    ...(tool !== "target_list" && { target: "tb" }),
  };
  const call = async () => {
    tb.replaceRoot(tree());
    return served.server.call(tool, args);
  };
  const before = tb.requests().length;
  expect(await call()).toMatchObject({ isError: false });
  const sent = new Set(
    tb
      .requests()
      .slice(before)
      .map((request) => request.split(" ")[0] as string),
  );
  for (const request of sent) {
    for (const [name, answer] of Object.entries(answers)) {
      wrong = { request, answer };
      const { isError, text } = await call();
      wrong = undefined;
      expect(isError && /^INTERNAL|^TIMED_OUT/.test(text), `${request} answered by ${name}: ${text}`).toBe(
        false,
      );
    }
  }
  const { isError, text } = await call();
  expect(isError, text).toBe(false);
});
