import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBench, type Served } from "./create-bench.ts";
import { describeScripted } from "./open-pool.ts";
import { directory, fileWith, link } from "./scripted-target/tree.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** What somebody gets wrong, and what the answer must tell to do. A call that it names is made, and must work. */
const mistakes: readonly (readonly [what: string, tool: string, args: object, next: RegExp])[] = [
  [
    "a name that is not there",
    "file_read",
    { path: "/data/log/none" },
    /Call file_list with path "\/data\/log"/,
  ],
  ["a wrong directory", "file_read", { path: "/data/lgo/old/x" }, /Call file_list with path "\/data",/],
  ["a wrong directory", "file_list", { path: "/data/a/b/c" }, /Call file_list with path "\/data",/],
  [
    "a file taken for a directory",
    "file_list",
    { path: "/data/app/x" },
    /Call file_list with path "\/data",/,
  ],
  [
    "a file taken for a directory",
    "file_list",
    { path: "/data/app" },
    /Call file_read with path "\/data\/app"/,
  ],
  ["a root that is not there", "file_list", { path: "/gone/x" }, /Call target_list/],
  [
    "a pattern as a path",
    "file_get",
    { remote_path: "/data/log/*.log" },
    /Call file_find with path "\/data\/log" and pattern "\*\.log"/,
  ],
  [
    "a pattern as a path",
    "file_list",
    { path: "/data/*/a.log" },
    /Call file_find with path "\/data" and pattern "\*\/a\.log"/,
  ],
  ["a directory taken for a file", "file_get", { remote_path: "/data/log" }, /recursive: true/],
  ["a directory as a destination", "file_put", { remote_path: "/data/log", text: "x" }, /a file in it/],
  [
    "no directory for a new file",
    "file_put",
    { remote_path: "/data/new/a/x", text: "x" },
    /Call dir_create with path "\/data\/new\/a" and parents: true/,
  ],
  [
    "no directory for a new directory",
    "dir_create",
    { path: "/data/new2/b" },
    /Call dir_create with path "\/data\/new2" and parents: true/,
  ],
  [
    "no directory to move to",
    "file_move",
    { path: "/data/app", new_path: "/data/new3/app" },
    /Call dir_create with path "\/data\/new3" and parents: true/,
  ],
  [
    "a place outside of the write roots",
    "file_put",
    { remote_path: "/etc/x", text: "x" },
    /Pass a path below these roots, or have write_roots under targets\.tb/,
  ],
  ["a file of the image", "file_put", { remote_path: "/proc/boot/x", text: "x" }, /comes with the image/],
  ["a directory in RAM", "dir_create", { path: "/tmp/d" }, /Pass another path/],
  [
    "a pattern with a directory in it",
    "file_list",
    { path: "/data", pattern: "log/*.log" },
    /file_find, whose pattern may hold slashes/,
  ],
  ["permissions in letters", "file_set_mode", { path: "/data/app", mode: "rwxr-xr-x" }, /another mode/],
  ["a slash at the end", "file_list", { path: "/data/" }, /Pass "\/data" in its place/],
  ["a path of Windows", "file_list", { path: "C:\\data" }, /Pass an absolute path such as/],
];

describe("a mistake", () => {
  const { target, serve, end, atEnd } = createBench();
  let served: Served;
  let host: string;

  beforeAll(async () => {
    const root = directory({
      data: directory({ app: fileWith("app", { mode: 0o755 }), log: directory({ "a.log": fileWith("a") }) }),
      dev: directory({ shmem: directory({}) }),
      etc: directory({ hosts: fileWith("h") }),
      proc: directory({ boot: directory({}) }),
      tmp: link("/dev/shmem"),
    });
    const tb = await target({ root });
    const roots = {
      read_roots: ["/data", "/etc", "/gone", "/proc"],
      write_roots: ["/data", "/tmp", "/proc"],
    };
    const fixed = { read_roots: ["/data"] };
    const { folder, remove } = await temporaryFolder();
    atEnd(remove);
    host = folder;
    served = await serve({
      local_roots: [host],
      targets: { tb: describeScripted(tb, roots), "bench-2": describeScripted(tb, fixed) },
    });
  });
  afterAll(end);

  test.each(mistakes)("such as %s (%s %j) is told with what to do", async (_, tool, args, next) => {
    const text = await served.refusal(tool, { target: "tb", ...args });
    expect(text.split("\nNext: ")[1]).toMatch(next);
    expect(text).not.toMatch(/regex|pattern \//i);
    const call = /Call (\w+) with path "([^"]*)"(?: and pattern "([^"]*)")?(.* parents: true)?/.exec(text);
    if (call === null) return;
    const [, named = "", where, pattern, parents] = call;
    await served.data(named, {
      target: "tb",
      path: where,
      ...(pattern !== undefined && { pattern }),
      ...(parents !== undefined && { parents: true }),
    });
  });

  test.each(["TB", "tb ", "tbb", "Bench-2", "bench2"])(
    "in a target's name, %j, is told with the right one",
    async (name) => {
      const text = await served.refusal("file_list", { target: name, path: "/data" });
      const meant = /b.?$/i.test(name.trim()) ? "tb" : "bench-2";
      expect(text).toMatch(new RegExp(`^TARGET_NOT_ALLOWED: .*\nNext: Pass "${meant}" as target`));
    },
  );

  test("such as a directory of this host in a file's place is told with what to pass", async () => {
    const get = await served.refusal("file_get", {
      target: "tb",
      remote_path: "/data/log/a.log",
      local_path: host,
    });
    expect(get).toContain(`Next: Pass local_path "${path.join(host, "a.log")}"`);
    const put = await served.refusal("file_put", {
      target: "tb",
      remote_path: "/data/new",
      local_path: host,
    });
    expect(put).toContain("Next: Pass recursive: true");
  });

  test("with a target that may not be changed at all names the setting", async () => {
    const text = await served.refusal("file_put", { target: "bench-2", remote_path: "/data/x", text: "x" });
    expect(text).toMatch(/has no write roots.*\nNext: Have write_roots under targets\.bench-2/);
  });
});

test("many targets do not make a refusal long", async () => {
  const { serve, end } = createBench();
  const names = Array.from({ length: 300 }, (_, index) => `rig-${index}`);
  const described = { host: "192.0.2.1", user: "u" };
  const { refusal } = await serve({
    targets: Object.fromEntries(names.map((name) => [name, { ...described }])),
  });
  const text = await refusal("file_list", { target: "nowhere", path: "/" });
  expect(text).toContain("rig-0, rig-1,");
  expect(text).toContain("and 280 others");
  await end();
});
