import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBench, type Served } from "./create-bench.ts";
import { describeScripted } from "./open-pool.ts";
import type { ScriptedTarget } from "./scripted-target/start-scripted-target.ts";
import { directory, fileWith, link } from "./scripted-target/tree.ts";

/** Where each tool takes a path of a target, with an entry of a directory that it could do its work on. */
const places: Readonly<Record<string, readonly { name: string; args: (path: string) => object }[]>> = {
  file_list: [{ name: "sub", args: (path) => ({ path }) }],
  file_stat: [{ name: "passwd", args: (path) => ({ paths: [path] }) }],
  file_read: [{ name: "passwd", args: (path) => ({ path }) }],
  file_get: [
    { name: "passwd", args: (remote_path) => ({ remote_path }) },
    { name: "sub", args: (remote_path) => ({ remote_path, recursive: true }) },
  ],
  file_put: [
    { name: "new", args: (remote_path) => ({ remote_path, text: "x" }) },
    { name: "passwd", args: (remote_path) => ({ remote_path, text: "x", overwrite: true }) },
  ],
  file_find: [{ name: "sub", args: (path) => ({ path }) }],
  file_grep: [
    { name: "passwd", args: (path) => ({ path, pattern: "r" }) },
    { name: "sub", args: (path) => ({ path, pattern: "r" }) },
  ],
  file_hash: [{ name: "passwd", args: (path) => ({ paths: [path] }) }],
  disk_usage: [
    { name: "sub", args: (path) => ({ path }) },
    { name: "sub", args: (path) => ({ path, tree: true }) },
  ],
  file_watch: [{ name: "sub", args: (path) => ({ path, timeout_s: 1 }) }],
  dir_create: [
    { name: "new", args: (path) => ({ path }) },
    { name: "new", args: (path) => ({ path, parents: true }) },
  ],
  file_move: [
    { name: "passwd", args: (path) => ({ path, new_path: "/srv/moved" }) },
    { name: "new", args: (new_path) => ({ path: "/srv/a", new_path }) },
  ],
  file_set_mode: [{ name: "passwd", args: (path) => ({ path, mode: "0777" }) }],
  file_delete: [{ name: "passwd", args: (path) => ({ path }) }],
};

describe("through every tool", () => {
  const { target, serve, end } = createBench();
  let tb: ScriptedTarget;
  let served: Served;
  const outside = () => directory({ passwd: fileWith("root"), sub: directory({ x: fileWith("r") }) });
  const tree = () =>
    directory({ etc: outside(), srv: directory({ a: fileWith("a"), out: link("/etc") }), srvx: outside() });

  beforeAll(async () => {
    tb = await target({ root: tree() });
    const roots = { read_roots: ["/srv"], write_roots: ["/srv"] };
    served = await serve({ targets: { tb: describeScripted(tb, roots) } }, { env: { QNX_FS_STATE: "" } });
  });
  afterAll(end);

  test("each tool that takes a target has its paths tried here", async () => {
    const { tools } = await served.server.client.listTools();
    const taking = tools.filter(({ inputSchema }) => "target" in (inputSchema.properties ?? {}));
    expect(Object.keys(places).sort()).toEqual(taking.map(({ name }) => name).sort());
  });

  const cases = Object.entries(places).flatMap(([tool, each]) =>
    each.map(({ name, args }, index) => ({ tool: `${tool} ${index + 1}`, name, args })),
  );
  test.each(cases)(
    "$tool refuses what lies or leads out of the roots, and touches nothing there",
    async ({ tool, name, args }) => {
      const call = async (path: string): Promise<string> => {
        const given = { target: "tb", ...args(path) };
        return (await served.server.call(tool.split(" ")[0] as string, given)).text;
      };
      const before = tb.requests().length;
      expect(await call(`/srv/out/${name}`)).toMatch(/OUTSIDE_ROOTS.*a link leads/s);
      expect(await call(`/etc/${name}`)).toMatch(/OUTSIDE_ROOTS.*lies outside/s);
      expect(await call(`/srvx/${name}`)).toMatch(/OUTSIDE_ROOTS.*lies outside/s);
      for (const path of [`~/${name}`, name, `/srv/../etc/${name}`, `/srv//${name}`, ""])
        expect(await call(path), path).toMatch(/PATH_NOT_NORMALISED|INVALID_ARGUMENT/);
      const touched = tb.requests().slice(before);
      expect(
        touched.filter((request) => !request.startsWith("REALPATH ") && / \/(?!srv(?:\/|$))/.test(request)),
      ).toEqual([]);
      expect(tb.root()).toEqual(tree());
    },
  );
});
