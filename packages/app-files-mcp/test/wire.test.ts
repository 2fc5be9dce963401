import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdir, rm } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { nodeBinaries, type RawServer, startRawServer } from "@mcp-file-servers/core/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { arrangeStore, openStore, picture, putter, type StoreWorld } from "./world.ts";

const dist = fileURLToPath(new URL("../dist", import.meta.url));

interface CallResult {
  readonly isError?: boolean;
  readonly content: readonly Record<string, unknown>[];
  readonly structuredContent: Record<string, unknown>;
}

describe.each(nodeBinaries(process))("over the wire on $name", ({ path: node }) => {
  let world: StoreWorld;
  const servers: RawServer[] = [];

  beforeEach(async () => {
    world = await arrangeStore();
  });

  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.kill("SIGKILL");
      await server.exited;
    }
    await world.dispose();
  });

  async function start(more: readonly string[] = []): Promise<RawServer> {
    const server = startRawServer({ bin: join(dist, "main.js"), args: [...world.args, ...more], node });
    servers.push(server);
    await server.initialize();
    return server;
  }
  const call = async (server: RawServer, name: string, args: object) =>
    (await server.request("tools/call", { name, arguments: args })).result as CallResult;
  const notified = (server: RawServer, method: string) =>
    server.message((message) => message.method === method);

  test("shows an image as an image, with the data beside it", async () => {
    const { content, structuredContent } = await call(await start(), "file_read", {
      app: "notes",
      path: "data/picture.png",
    });
    expect(content[1]).toEqual({ type: "image", data: picture.toString("base64"), mimeType: "image/png" });
    expect(JSON.parse(String(content[0]?.text))).toEqual(structuredContent);
  });

  test("gives the files of served apps as resources", async () => {
    const store = openStore(world.data);
    await putter(store)("hidden", "secret.txt", "x");
    await putter(store)("notes", "zz large", Buffer.alloc(10 * 1024 * 1024 + 1));
    store.close();
    const server = await start();
    const { resources } = (await server.request("resources/list")).result as {
      resources: { uri: string; size: number }[];
    };
    const uris = resources.map(({ uri }) => uri);
    expect(uris).toContain("app-files://notes/a%20b/r%C3%A9sum%C3%A9%20(1).pdf");
    expect(uris.filter((uri) => uri.startsWith("app-files://hidden"))).toEqual([]);
    const read = async (uri: string) => server.request("resources/read", { uri });
    expect((await read("app-files://notes/data.txt")).result).toEqual({
      contents: [
        {
          uri: "app-files://notes/data.txt",
          mimeType: "text/plain",
          text: "This is data.txt.\nIt has two lines.\n",
        },
      ],
    });
    expect((await read("app-files://notes/data/picture.png")).result).toMatchObject({
      contents: [{ mimeType: "image/png", blob: picture.toString("base64") }],
    });
    expect((await read("app-files://notes/zz%20large")).error).toMatchObject({
      message: expect.stringMatching(/^RESOURCE_TOO_LARGE: .*\n.*file_read/),
    });
    for (const uri of ["app-files://hidden/secret.txt", "app-files://notes/none", "app-files://notes/../x"]) {
      expect((await read(uri)).error, uri).toMatchObject({ code: -32002 });
    }
  });

  test("tells subscribers of changes, also of those that another process makes", async () => {
    const server = await start();
    const other = await start();
    const uri = "app-files://scratch/f.txt";
    await server.request("resources/subscribe", { uri });
    // Its watch has begun once a later call is answered.
    await call(server, "file_list", { app: "scratch" });
    await call(server, "file_list", { app: "scratch" });
    await call(other, "file_write", { app: "scratch", path: "f.txt", text: "x" });
    expect(await notified(server, "notifications/resources/updated")).toMatchObject({ params: { uri } });
    await notified(server, "notifications/resources/list_changed");
  });

  test("tells subscribers of every kind of change that another process makes", async () => {
    const server = await start();
    const other = await start();
    const uriOf = (path: string) => `app-files://scratch/${path}`;
    for (const path of ["copied", "moved", "gone", "back", "edited"]) {
      await server.request("resources/subscribe", { uri: uriOf(path) });
      if (path !== "copied" && path !== "moved")
        await call(other, "file_write", { app: "scratch", path, text: "x" });
    }
    await call(other, "file_delete", { app: "scratch", path: "back" });
    await call(server, "file_list", { app: "scratch" });
    const told = (path: string) =>
      server.message(
        ({ method, params }) =>
          method === "notifications/resources/updated" && (params as { uri: string }).uri === uriOf(path),
      );
    await call(other, "file_copy", { app: "scratch", path: "edited", new_path: "copied" });
    await told("copied");
    await call(other, "file_move", { app: "scratch", path: "copied", new_path: "moved" });
    await told("moved");
    await call(other, "file_delete", { app: "scratch", prefix: "gone", expected_count: 1 });
    await told("gone");
    await call(other, "file_restore", { app: "scratch", path: "back" });
    await told("back");
    const edits = [{ old_text: "x", new_text: "y" }];
    await call(other, "file_edit", { app: "scratch", path: "edited", edits });
    await told("edited");
  });

  test("shares one store with other servers, at once", async () => {
    const all = await Promise.all([start(), start()]);
    const letters = [..."abcdefghij"];
    const answers = await Promise.all(
      letters.map((letter, n) =>
        call(all[n % 2] as RawServer, "file_write", {
          app: "scratch",
          path: "f",
          text: letter.repeat(1_000_000),
        }),
      ),
    );
    const versions = answers.map(({ structuredContent }) => Number(structuredContent.version));
    expect(versions.toSorted((a, b) => a - b)).toEqual(letters.map((_, n) => n + 1));
    const { structuredContent } = await call(all[0] as RawServer, "file_list", {
      app: "scratch",
      details: true,
    });
    const last = answers[versions.indexOf(10)]?.structuredContent;
    expect(structuredContent.files).toMatchObject([{ path: "f", version: 10, sha256: last?.sha256 }]);
  });

  test("offers no tool that changes the store when it is read-only", async () => {
    const server = await start(["--read-only"]);
    const { tools } = (await server.request("tools/list")).result as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual([
      "app_list",
      "file_list",
      "file_read",
      "file_history",
      "file_search",
      "file_export",
    ]);
    expect((await call(server, "file_read", { app: "notes", path: "data.txt" })).isError).toBeUndefined();
    const { error } = await server.request("tools/call", { name: "file_write", arguments: {} });
    expect(error).toMatchObject({ code: -32602 });
  });

  test("opens no store before the first call", async () => {
    const server = startRawServer({
      bin: join(dist, "main.js"),
      args: ["--data", join(world.folder, "new")],
      node,
    });
    servers.push(server);
    await server.initialize();
    await server.request("tools/list");
    const store = join(world.folder, "new", "store.db");
    await expect(chmod(store, 0o600)).rejects.toThrow("ENOENT");
    await call(server, "file_list", { app: "notes" });
    await chmod(store, 0o600);
  });
});

test("four servers that write one app at once lose nothing", async () => {
  const world = await arrangeStore();
  const nodes = nodeBinaries(process);
  const servers = [0, 1, 2, 3].map((n) => {
    const node = nodes[n % nodes.length]?.path ?? process.execPath;
    return startRawServer({ bin: join(dist, "main.js"), args: world.args, node });
  });
  try {
    const each = 25;
    const answers = await Promise.all(
      servers.map(async (server, s) => {
        await server.initialize();
        const write = (args: object) =>
          server.request("tools/call", { name: "file_write", arguments: { app: "scratch", ...args } });
        const own = Array.from({ length: each }, (_, n) => write({ path: `s${s}/f${n}`, text: `${s} ${n}` }));
        const shared = Array.from({ length: each }, (_, n) =>
          write({ path: "log", text: `${s} ${n}\n`, append: true }),
        );
        return Promise.all([...own, ...shared]);
      }),
    );
    const results = answers.flat().map(({ result }) => result as CallResult);
    expect(results.filter(({ isError }) => isError)).toEqual([]);
    const read = (server: RawServer | undefined, name: string, args: object) =>
      server?.request("tools/call", { name, arguments: { app: "scratch", ...args } });
    const log = (await read(servers[0], "file_read", { path: "log" }))?.result as CallResult;
    const expected = servers.flatMap((_, s) => Array.from({ length: each }, (_unused, n) => `${s} ${n}`));
    expect(String(log.structuredContent.text).trimEnd().split("\n").sort()).toEqual(expected.sort());
    const list = (await read(servers[1], "file_list", {}))?.result as CallResult;
    expect(list.structuredContent).toMatchObject({ total: 4 * each + 1, files_version: 8 * each });
  } finally {
    for (const server of servers) {
      server.kill("SIGKILL");
      await server.exited;
    }
    await world.dispose();
  }
});

/** Runs a server to its end, without the search path that package managers set. */
async function run(bin: string, args: readonly string[], user: { uid?: number } = {}) {
  const child = spawn(process.execPath, [bin, ...args], {
    env: {},
    stdio: ["ignore", "pipe", "pipe"],
    ...user,
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, "close");
  return { code, stderr };
}

describe("a start that cannot work", () => {
  let world: StoreWorld;
  let bin: string;

  beforeEach(async () => {
    world = await arrangeStore();
    // A place that any user can read, without packages around it.
    await cp(dist, join(world.folder, "dist"), { recursive: true });
    await chmod(world.folder, 0o755);
    bin = join(world.folder, "dist", "main.js");
  });

  afterEach(() => world.dispose());

  test("for want of SQLite ends with one line that names the two ways out", async () => {
    const { code, stderr } = await run(bin, ["--data", world.data]);
    if (isBuiltin("node:sqlite")) expect(code).toBe(0);
    else {
      expect(code).toBe(2);
      expect(stderr).toMatch(
        /^app-files-mcp: [^\n]*Node 22\.13 or newer, or npx -y -p libsql@0\.5 -p app-files-mcp [^\n]*\n$/,
      );
    }
  });

  test("for want of rights on the data directory ends with one line", async () => {
    const locked = join(world.folder, "locked");
    await mkdir(locked, { mode: 0o555 });
    // Root may write anywhere: then somebody else tries.
    const user = process.getuid?.() === 0 ? { uid: 65_534 } : {};
    for (const data of [locked, join(locked, "below")]) {
      const { code, stderr } = await run(bin, ["--data", data], user);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringMatching(/^app-files-mcp: --data [^\n]*EACCES[^\n]*\n$/),
      });
    }
    await rm(locked, { recursive: true });
  });
});
