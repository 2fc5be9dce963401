import { afterEach, describe, expect, test } from "vitest";
import { createBench } from "./create-bench.ts";
import { describeScripted } from "./open-pool.ts";
import { charDevice, directory, fifo, file, fileWith, link, named } from "./scripted-target/tree.ts";

const { target, serve, end } = createBench();
afterEach(end);

const lines = Array.from({ length: 5_000 }, (_, line) => `line ${line}`);

function tree(log: string) {
  return directory({
    etc: directory({ passwd: fileWith("root") }),
    dev: directory({
      null: charDevice(),
      random: named(0),
      shmem: directory({ trace: { ...named(5), content: Buffer.from("12345") } }),
    }),
    proc: directory({
      "1": directory({ as: file(9), ctl: file(9), cmdline: fileWith("a\0b\0", { noSize: true }) }),
    }),
    srv: directory({
      "app.log": fileWith(log),
      bin: fileWith(Buffer.from([0x7f, 0x45, 0, 0xff])),
      pipe: fifo(),
      out: link("/etc/passwd"),
      to: link("app.log"),
      sub: directory({}),
    }),
    tmp: link("/dev/shmem"),
  });
}

async function arrange(log = `${lines.join("\n")}\n`, store = {}) {
  const tb = await target({ root: tree(log), store });
  const roots = { read_roots: ["/srv", "/tmp", "/proc", "/dev"] };
  const served = await serve({ targets: { tb: describeScripted(tb, roots) } });
  const read = (path: string, more: object = {}) => served.data("file_read", { target: "tb", path, ...more });
  return { tb, ...served, read };
}

describe("file_read", () => {
  test("shows lines from the beginning and from the end, and goes on from there", async () => {
    const { read } = await arrange();
    const head = await read("/srv/app.log", { head_lines: 3 });
    expect(head).toMatchObject({
      content: "line 0\nline 1\nline 2\n",
      offset: 0,
      next_offset: 21,
      at_end: false,
    });
    const tail = await read("/srv/to", { tail_lines: 2 });
    expect(tail).toMatchObject({
      content: "line 4998\nline 4999\n",
      real_path: "/srv/app.log",
      at_end: true,
    });
    const all: string[] = [];
    let part: Record<string, unknown> = { next_offset: 0, at_end: false };
    while (!part.at_end) {
      part = await read("/srv/app.log", { offset: part.next_offset });
      all.push(part.content as string);
    }
    expect(all.join("")).toBe(`${lines.join("\n")}\n`);
    expect(all.length).toBeGreaterThan(1);
  });

  test("tells what a log has gained, and that it was begun anew", async () => {
    const { tb, read } = await arrange("one\n");
    const first = await read("/srv/app.log");
    expect(first).toMatchObject({ content: "one\n", at_end: true, next_offset: 4 });
    expect(await read("/srv/app.log", { offset: 4 })).toMatchObject({
      content: "",
      at_end: true,
      next_offset: 4,
    });
    tb.replaceRoot(tree("one\ntwo\n"));
    expect(await read("/srv/app.log", { offset: first.next_offset })).toMatchObject({
      content: "two\n",
      offset: 4,
    });
    tb.replaceRoot(tree("x"));
    expect((await read("/srv/app.log", { offset: 8 })).note).toMatch(/begun anew/);
  });

  test("shows binaries in base64, and shared memory and processes by what they hold", async () => {
    const { read } = await arrange();
    expect(await read("/srv/bin")).toMatchObject({ encoding: "base64", content: "f0UA/w==", bytes: 4 });
    expect(await read("/tmp/trace")).toMatchObject({ content: "12345", real_path: "/dev/shmem/trace" });
    expect(await read("/proc/1/cmdline", { as: "text" })).toMatchObject({
      content: "a\0b\0",
      size: null,
      at_end: true,
    });
  });

  test("takes short answers for what they are", async () => {
    const { read } = await arrange(undefined, { longestRead: 1_000 });
    expect((await read("/srv/app.log", { offset: 10, length: 20_000 })).bytes).toBe(20_000);
  });

  test("opens no device, FIFO, directory or memory of a process, and nothing outside", async () => {
    const { tb, refusal } = await arrange();
    const refused = (path: string) => refusal("file_read", { target: "tb", path });
    expect(await refused("/dev/null")).toMatch(/^NOT_A_FILE: .* of type char/);
    expect(await refused("/dev/random")).toMatch(/^NOT_A_FILE: .* of type named/);
    expect(await refused("/srv/pipe")).toMatch(/^NOT_A_FILE: .* of type fifo/);
    expect(await refused("/srv/sub")).toMatch(/^NOT_A_FILE: .* of type dir/);
    expect(await refused("/proc/1/as")).toMatch(/^NOT_A_FILE: .* of type process memory/);
    expect(await refused("/proc/1/ctl")).toMatch(/^NOT_A_FILE: .* of type process control/);
    expect(await refused("/srv/out")).toMatch(/^OUTSIDE_ROOTS: .*a link leads/);
    expect(await refused("/etc/passwd")).toMatch(/^OUTSIDE_ROOTS: /);
    expect(tb.requests().filter((request) => request.startsWith("OPEN "))).toEqual([]);
  });

  test("takes one way to choose a part at a time", async () => {
    const { refusal } = await arrange();
    const text = await refusal("file_read", { target: "tb", path: "/srv/bin", head_lines: 1, tail_lines: 1 });
    expect(text).toMatch(/^INVALID_ARGUMENT: head_lines/);
  });
});
