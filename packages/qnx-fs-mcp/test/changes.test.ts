import { afterEach, describe, expect, test } from "vitest";
import { createBench } from "./create-bench.ts";
import { describeScripted } from "./open-pool.ts";
import type { ScriptedTargetOptions } from "./scripted-target/start-scripted-target.ts";
import {
  contentOf,
  directory,
  file,
  fileWith,
  find,
  link,
  type Node,
  rawText,
} from "./scripted-target/tree.ts";

const { target, serve, end } = createBench();
afterEach(end);

function tree(): Node {
  return directory({
    etc: directory({ passwd: fileWith("root") }),
    dev: directory({ shmem: directory({ a: { ...file(1), content: Buffer.from("1") } }) }),
    fixed: directory({}, { denied: true }),
    srv: directory({
      a: fileWith("new"),
      b: fileWith("old"),
      "b b'c;touch m": fileWith("odd"),
      dir: directory({ sub: directory({ x: fileWith("x"), y: link("/etc/passwd") }), z: file(10) }),
      out: link("/etc"),
      to: link("a"),
      odd: directory([["caf\xe9", file(1)]]),
    }),
    tmp: link("/dev/shmem"),
  });
}

async function arrange(options: ScriptedTargetOptions = {}) {
  const tb = await target({ root: tree(), ...options });
  const roots = { read_roots: ["/"], write_roots: ["/srv", "/tmp", "/fixed"] };
  const served = await serve({ targets: { tb: describeScripted(tb, roots) } });
  const call = (tool: string, args: object) => served.data(tool, { target: "tb", ...args });
  const refuse = (tool: string, args: object) => served.refusal(tool, { target: "tb", ...args });
  const at = (path: string) => {
    const found = find(tb.root(), rawText(path), false);
    return "node" in found ? found.node : undefined;
  };
  const names = (path: string) =>
    at(path)
      ?.entries?.map(([name]) => name)
      .sort();
  return { tb, ...served, call, refuse, at, names };
}

describe("dir_create", () => {
  test("makes a directory, the ones above it, and says when it was there", async () => {
    const { call, at } = await arrange();
    expect(await call("dir_create", { path: "/srv/n", mode: "0700" })).toMatchObject({
      created: ["/srv/n"],
      existed: false,
      mode: "0700",
    });
    expect(await call("dir_create", { path: "/srv/p/q/r", parents: true })).toMatchObject({
      created: ["/srv/p", "/srv/p/q", "/srv/p/q/r"],
    });
    expect(at("/srv/p/q/r")?.entries).toEqual([]);
    expect(await call("dir_create", { path: "/srv/p/q", parents: true })).toMatchObject({
      created: [],
      existed: true,
    });
  });

  test("ends at once, and names the path, where it may not", async () => {
    const { refuse } = await arrange();
    expect(await refuse("dir_create", { path: "/fixed/a/b", parents: true })).toMatch(
      /^PERMISSION_DENIED: .*"\/fixed\//,
    );
    expect(await refuse("dir_create", { path: "/srv/p/q" })).toMatch(/^NOT_FOUND: /);
    expect(await refuse("dir_create", { path: "/srv/a/q" })).toMatch(/^NOT_A_DIRECTORY: .*"\/srv\/a"/);
    expect(await refuse("dir_create", { path: "/srv/b" })).toMatch(/^ALREADY_EXISTS: /);
    expect(await refuse("dir_create", { path: "/srv/to" })).toMatch(/^IS_LINK: /);
    expect(await refuse("dir_create", { path: "/srv/out/x" })).toMatch(/^OUTSIDE_ROOTS: .*a link leads/);
    expect(await refuse("dir_create", { path: "/etc/x", parents: true })).toMatch(
      /^OUTSIDE_ROOTS: .*write_roots/s,
    );
    expect(await refuse("dir_create", { path: "/tmp/x" })).toMatch(
      /^REFUSED_BY_TARGET: .*takes no directories/,
    );
  });

  test("finds a full or read-only file system behind a vague answer", async () => {
    const extensions = { "statvfs@openssh.com": "2" };
    const { refuse } = await arrange({
      extensions,
      store: { capacity: 0, readOnly: "/none" },
      behave: () => "answer",
    });
    // A directory needs no bytes on the scripted target: the parent in RAM refuses it.
    expect(await refuse("dir_create", { path: "/tmp/x" })).toMatch(/^NO_SPACE: /);
  });
});

describe("file_move", () => {
  test("moves files, links and directories, and never onto something", async () => {
    const { call, refuse, at } = await arrange();
    await call("file_move", { path: "/srv/dir", new_path: "/srv/moved" });
    expect(at("/srv/moved/sub/x")).toBeDefined();
    await call("file_move", { path: "/srv/to", new_path: "/srv/to2" });
    expect(at("/srv/to2")?.link).toBe("a");
    await call("file_move", { path: "/srv/b b'c;touch m", new_path: "/srv/plain" });
    expect(at("/srv/plain")).toBeDefined();
    expect(await refuse("file_move", { path: "/srv/a", new_path: "/srv/b" })).toMatch(/^ALREADY_EXISTS: /);
    expect(contentOf(at("/srv/b") as Node).toString()).toBe("old");
  });

  test.each([
    ["in one step", { "posix-rename@openssh.com": "1" }, true],
    ["with a backup that goes", {}, false],
  ])("replaces a file %s", async (_, extensions, atomic) => {
    const { call, at, names } = await arrange({ extensions: extensions as Record<string, string> });
    const before = names("/srv");
    const moved = await call("file_move", { path: "/srv/a", new_path: "/srv/b", overwrite: true });
    expect(moved).toMatchObject({ replaced: true, atomic });
    expect(contentOf(at("/srv/b") as Node).toString()).toBe("new");
    expect(names("/srv")).toEqual(before?.filter((name) => name !== "a"));
  });

  test("undoes the first step when the second one fails", async () => {
    let renames = 0;
    const { refuse, tb, at } = await arrange({
      behave: (request) => (request === "RENAME" && ++renames === 2 ? "refuse" : "answer"),
    });
    const text = await refuse("file_move", { path: "/srv/a", new_path: "/srv/b", overwrite: true });
    expect(text).toMatch(/^REFUSED_BY_TARGET: /);
    expect(contentOf(at("/srv/b") as Node).toString()).toBe("old");
    expect(contentOf(at("/srv/a") as Node).toString()).toBe("new");
    expect(tb.requests().filter((request) => request.startsWith("RENAME"))).toHaveLength(3);
  });

  test("says that nobody knows when the line dies in it and the target stays away", async () => {
    let dead = false;
    const { refuse } = await arrange({
      behave: (request) => {
        dead ||= request === "RENAME";
        return dead ? "drop" : "answer";
      },
    });
    expect(await refuse("file_move", { path: "/srv/a", new_path: "/srv/c" })).toMatch(/^OUTCOME_UNKNOWN: /);
  });

  test("refuses roots, itself, RAM and what leads out", async () => {
    const { refuse } = await arrange();
    const move = (path: string, to: string, more = {}) =>
      refuse("file_move", { path, new_path: to, ...more });
    expect(await move("/srv", "/srv/x")).toMatch(/^INVALID_ARGUMENT: .*is a root/);
    expect(await move("/srv/dir", "/srv/dir/sub/in")).toMatch(/^INVALID_ARGUMENT: new_path/);
    expect(await move("/srv/a", "/srv/out/a")).toMatch(/^OUTSIDE_ROOTS: /);
    expect(await move("/srv/out/passwd", "/srv/p")).toMatch(/^OUTSIDE_ROOTS: /);
    expect(await move("/tmp/a", "/tmp/b")).toMatch(/^REFUSED_BY_TARGET: .*knows no renaming/);
    expect(await move("/srv/a", "/srv/dir", { overwrite: true })).toMatch(/^NOT_A_FILE: .*of type dir/);
    expect(await move("/srv/none", "/srv/x")).toMatch(/^NOT_FOUND: /);
  });
});

describe("file_set_mode", () => {
  test("sets modes, but not through links", async () => {
    const { call, refuse } = await arrange();
    expect(await call("file_set_mode", { path: "/srv/a", mode: "755" })).toMatchObject({
      mode_before: "0644",
      mode_after: "0755",
    });
    expect(await refuse("file_set_mode", { path: "/srv/to", mode: "0755" })).toMatch(/^IS_LINK: /);
    expect(await refuse("file_set_mode", { path: "/srv/out/passwd", mode: "0777" })).toMatch(
      /^OUTSIDE_ROOTS: /,
    );
    expect(await refuse("file_set_mode", { path: "/srv/a", mode: "rwx" })).toMatch(/^INVALID_ARGUMENT: mode/);
  });
});

describe("file_delete", () => {
  test("removes a file and a link, not what it leads to", async () => {
    const { call, at } = await arrange();
    expect(await call("file_delete", { path: "/srv/to" })).toMatchObject({
      type: "symlink",
      removed: true,
      count: 1,
    });
    expect(at("/srv/a")).toBeDefined();
    await call("file_delete", { path: "/srv/a" });
    await call("file_delete", { path: "/tmp/a" });
    expect(at("/srv/a")).toBeUndefined();
    expect(at("/dev/shmem/a")).toBeUndefined();
  });

  test("removes a directory only with the count that was told", async () => {
    const { call, refuse, at } = await arrange();
    const path = "/srv/dir";
    expect(await refuse("file_delete", { path })).toMatch(/^INVALID_ARGUMENT: recursive/);
    expect(await refuse("file_delete", { path, recursive: true })).toMatch(
      /^INVALID_ARGUMENT: expected_count/,
    );
    const dry = await call("file_delete", { path, recursive: true, dry_run: true });
    expect(dry).toMatchObject({ count: 5, bytes: 11, removed: false });
    expect(await refuse("file_delete", { path, recursive: true, expected_count: 4 })).toMatch(
      /there are 5 now/,
    );
    expect(at("/srv/dir/sub/x")).toBeDefined();
    expect(await call("file_delete", { path, recursive: true, expected_count: 5 })).toMatchObject({
      removed: true,
    });
    expect(at("/srv/dir")).toBeUndefined();
    expect(at("/etc/passwd")).toBeDefined();
  });

  test("refuses roots, what leads out and names that it cannot send", async () => {
    const { refuse, at } = await arrange();
    const remove = (path: string) => refuse("file_delete", { path, recursive: true, expected_count: 2 });
    expect(await remove("/srv")).toMatch(/^INVALID_ARGUMENT: .*is a root/);
    expect(await remove("/tmp")).toMatch(/^INVALID_ARGUMENT: .*is a root/);
    expect(await remove("/")).toMatch(/^OUTSIDE_ROOTS: /);
    expect(await remove("/srv/out/passwd")).toMatch(/^OUTSIDE_ROOTS: /);
    expect(await remove("/srv/odd")).toMatch(/^NAME_NOT_UTF8: /);
    expect(at("/srv/odd")?.entries).toHaveLength(1);
  });
});

test("with --read-only there are no writers", async () => {
  const tb = await target();
  const { server } = await serve({ targets: { tb: describeScripted(tb) } }, { args: ["--read-only"] });
  const { tools } = await server.client.listTools();
  for (const name of ["dir_create", "file_move", "file_set_mode", "file_delete", "file_put"])
    expect(tools.map((tool) => tool.name)).not.toContain(name);
});
