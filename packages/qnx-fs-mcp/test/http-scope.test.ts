import { execFile } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startRawServer } from "@mcp-file-servers/core/testing";
import { afterEach, expect, test } from "vitest";
import { stringify } from "yaml";
import { app } from "../src/app.ts";
import { callOverHttp, type HttpCaller } from "./call-over-http.ts";
import { describeScripted } from "./open-pool.ts";
import { startScriptedTarget } from "./scripted-target/start-scripted-target.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const bin = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const ends: (() => Promise<unknown> | undefined)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A server over HTTP with the targets tb, tb-2 and classified, and a caller with a scope. */
async function arrange(...scope: readonly string[]) {
  const { folder, remove } = await temporaryFolder();
  ends.push(remove);
  const target = await startScriptedTarget();
  ends.push(target.close);
  const file = (name: string): string => path.join(folder, name);
  const described = describeScripted(target, { write_roots: ["/data"] });
  const targets = { tb: described, "tb-2": described, classified: described };
  await mkdir(file("local"));
  await writeFile(file("local/build"), "HOST-CONTENT");
  await writeFile(file("config.yaml"), stringify({ targets, local_roots: [file("local")] }));
  const tokens = ["--tokens", file("tokens.json")];
  const given = scope.flatMap((each) => (each.startsWith("--") ? [each] : ["--scope", each]));
  const { stdout } = await promisify(execFile)(process.execPath, [
    bin,
    "token",
    "add",
    "t",
    ...given,
    ...tokens,
  ]);
  const server = startRawServer({
    bin,
    args: ["--config", file("config.yaml"), "--http", "0", ...tokens],
    env: { HOME: folder, PASSWORD: target.password, QNX_FS_STATE: file("state") },
    node: process.execPath,
  });
  ends.push(async () => {
    server.kill("SIGKILL");
    await server.exited;
  });
  const [, where = ""] = await server.saidOnStderr(/serves (http:\S+)/);
  const url = new URL(where);
  const caller = await callOverHttp(url, stdout.trim());
  const status = (route: string) => fetch(new URL(route, url)).then((response) => response.text());
  return { caller, target, file, status };
}

/** Arguments of each tool, for a target. */
const calls: Readonly<Record<string, (target: string, local: string) => object>> = {
  file_list: (target) => ({ target, path: "/" }),
  file_stat: (target) => ({ target, paths: ["/etc/hosts"] }),
  file_read: (target) => ({ target, path: "/etc/hosts" }),
  file_get: (target, local) => ({ target, remote_path: "/etc/hosts", local_path: `${local}/hosts` }),
  file_put: (target, local) => ({ target, local_path: `${local}/build`, remote_path: "/data/build" }),
  file_find: (target) => ({ target, path: "/etc" }),
  file_grep: (target) => ({ target, path: "/etc/hosts", pattern: "0" }),
  file_hash: (target, local) => ({ target, paths: ["/etc/hosts"], local_path: `${local}/build` }),
  disk_usage: (target) => ({ target, path: "/etc" }),
  file_watch: (target) => ({ target, path: "/etc", timeout_s: 1 }),
  dir_create: (target) => ({ target, path: "/data/new" }),
  file_move: (target) => ({ target, path: "/data/var/log/boot.log", new_path: "/data/boot.log" }),
  file_set_mode: (target) => ({ target, path: "/data/var/log/can.log", mode: "0600" }),
  file_delete: (target) => ({ target, path: "/data/var/log/slog.txt" }),
};

async function callAll(caller: HttpCaller, target: string, local: string) {
  const answers = new Map<string, { isError: boolean; text: string }>();
  for (const [name, args] of Object.entries(calls))
    answers.set(name, await caller.call(name, args(target, local)));
  return answers;
}

test("a target outside the scope is as if it were not there, through every tool", async () => {
  const { caller, target, file } = await arrange("targets=tb*", "local=true");
  expect(["target_list", ...Object.keys(calls)].sort()).toEqual(app.tools.map(({ name }) => name).sort());
  const listed = await caller.call("target_list", { probe: true });
  expect(JSON.parse(listed.text)).toMatchObject({
    total_entries: 2,
    targets: [{ name: "tb" }, { name: "tb-2" }],
  });
  expect(listed.text).not.toContain("classified");
  const before = target.logins();
  const outside = await callAll(caller, "classified", file("local"));
  const nowhere = await callAll(caller, "nowhere", file("local"));
  for (const [name, { isError, text }] of outside) {
    expect(isError, name).toBe(true);
    expect(text, name).toMatch(/^TARGET_NOT_ALLOWED: .*allowed: tb, tb-2/);
    expect(text.replaceAll("classified", "nowhere")).toBe(nowhere.get(name)?.text);
  }
  expect(target.logins()).toBe(before);
  for (const [name, { isError, text }] of await callAll(caller, "tb", file("local"))) {
    expect(isError, `${name}: ${text}`).toBe(false);
  }
});

test.each([[["targets=tb"]], [["targets=tb", "local=false"]], [[]]])(
  "host paths are refused through every tool for a token of scope %j",
  async (scope) => {
    const { caller, target, file } = await arrange(...scope);
    const answers = await callAll(caller, "tb", file("local"));
    for (const name of ["file_get", "file_put", "file_hash"]) {
      expect(answers.get(name)?.text, name).toMatch(/^LOCAL_PATH_REFUSED: .*token/);
      expect(answers.get(name)?.text, name).not.toContain("HOST-CONTENT");
    }
    const own = await caller.call("file_get", { target: "tb", remote_path: "/etc/hosts" });
    expect(own.text).toMatch(/^LOCAL_PATH_REFUSED: /);
    expect(await readdir(file("local"))).toEqual(["build"]);
    await expect(readdir(file("state/files"))).rejects.toThrow();
    const put = await caller.call("file_put", { target: "tb", text: "hello", remote_path: "/data/hello" });
    expect(put.isError, put.text).toBe(false);
    expect(target.requests().some((said) => said.startsWith("OPEN /data/build"))).toBe(false);
  },
);

test("a token that may only read sees no tool that changes anything", async () => {
  const { caller } = await arrange("--read-only");
  const reading = app.tools.filter(({ effect }) => effect === "read").map(({ name }) => name);
  expect([...(await caller.tools())].sort()).toEqual(reading.sort());
});

test("readiness and sizes are those of the configuration", async () => {
  const { caller, file, status } = await arrange("targets=none-such");
  expect(await status("/readyz")).toBe("ready\n");
  const listed = JSON.parse((await caller.call("target_list", {})).text);
  expect(listed).toMatchObject({ targets: [], total_entries: 0, note: expect.stringContaining("scope") });
  expect(await status("/metrics")).toMatch(/^qnx_fs_targets 3$/m);
  await writeFile(file("config.yaml"), "targets: [");
  expect(await status("/readyz")).toMatch(/^not ready\n.*config\.yaml/);
});
