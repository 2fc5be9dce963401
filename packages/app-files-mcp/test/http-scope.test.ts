import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type RawServer, startRawServer } from "@mcp-file-servers/core/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { describeContent } from "../src/domain/content.ts";
import { connectHttp, type HttpClient } from "./http-client.ts";
import { openStore, putter } from "./world.ts";

const bin = fileURLToPath(new URL("../dist/main.js", import.meta.url));

let folder: string;
const servers: RawServer[] = [];
let url: URL;
/** Of an upload of the app `secret`. */
let upload: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "app-files-scope-"));
  await mkdir(join(folder, "root"));
  await writeFile(join(folder, "root", "x.txt"), "SECRET-CONTENT of the disk");
  const store = openStore(join(folder, "data"));
  const put = putter(store);
  await put("notes", "f.txt", "content of notes");
  await put("team-a", "f.txt", "content of team-a");
  await put("secret", "plan.txt", "SECRET-CONTENT");
  await put("secret", "very-private-name.txt", "SECRET-CONTENT");
  await put("secret", "gone.txt", "SECRET-CONTENT");
  await store.remove({ app: "secret", path: "gone.txt", client: "t" });
  const bytes = Buffer.from("SECRET-CONTENT");
  const facts = describeContent(bytes);
  upload = (await store.uploads.begin("secret", bytes.length)).id;
  await store.uploads.put(upload, { seq: 0, bytes, facts });
  const command = { id: "used", fingerprint: "of another call" };
  await store.write({
    ...{ app: "secret", path: "plan.txt", bytes, facts, detectedMime: "text/plain", client: "t", command },
  });
  store.close();
});

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.kill("SIGKILL");
    await server.exited;
  }
  await rm(folder, { recursive: true });
});

const tokens = () => ["--tokens", join(folder, "tokens.json")];

async function addToken(name: string, ...more: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    bin,
    "token",
    "add",
    name,
    ...more,
    ...tokens(),
  ]);
  return stdout.trim();
}

/** Starts a server and connects to it by a token of a scope, or one that may only read. */
async function connect(...scope: string[]): Promise<HttpClient> {
  const token = await addToken(
    "limited",
    ...scope.flatMap((each) => (each.startsWith("--") ? [each] : ["--scope", each])),
  );
  await start();
  return connectHttp(url, token);
}

async function start(...more: string[]): Promise<void> {
  const common = ["--data", join(folder, "data"), "--root", join(folder, "root"), "--http", "0", ...tokens()];
  const server = startRawServer({ bin, args: [...common, ...more], node: process.execPath });
  servers.push(server);
  const [, where = ""] = await server.saidOnStderr(/serves (http:\S+)/);
  url = new URL(where);
}

interface Listed {
  readonly name: string;
  readonly inputSchema: {
    readonly properties: Record<
      string,
      { readonly type: string | readonly string[]; readonly enum?: string[] }
    >;
    readonly required?: readonly string[];
  };
}

const listed = async (client: HttpClient) =>
  ((await client.request("tools/list")).result as { tools: Listed[] }).tools;

/** What an argument of a name gets in an attempt; others that are required get something of their type. */
const values = (): Record<string, unknown> => ({
  path: "plan.txt",
  new_path: "stolen.txt",
  local_path: "x.txt",
  upload_id: upload,
  query: "SECRET",
  prefix: "",
  edits: [{ old_text: "SECRET", new_text: "x" }],
  data_base64: "U0VDUkVULUNPTlRFTlQ=",
  size: 14,
  seq: 0,
  text: "overwritten",
});

function argumentsOf({ inputSchema: { properties, required = [] } }: Listed, given: Record<string, unknown>) {
  const byType: Record<string, unknown> = { string: "x", integer: 1, boolean: true, array: [], object: {} };
  const known: Record<string, unknown> = { ...values(), ...given };
  const names = Object.keys(properties).filter((name) => name in given || required.includes(name));
  return Object.fromEntries(
    names.map((name) => [name, known[name] ?? byType[[properties[name]?.type ?? "string"].flat()[0] ?? ""]]),
  );
}

/** Every way in which a tool could be meant to touch the app `secret`. */
function attemptsOf(tool: Listed): Record<string, unknown>[] {
  const { properties } = tool.inputSchema;
  const ways: Record<string, unknown>[] = [{}];
  if ("app" in properties) ways.push({ app: "secret" });
  if ("app" in properties && "path" in properties) ways.push({ app: "secret", path: "plan.txt" });
  if ("app" in properties && "path" in properties) ways.push({ app: "notes", path: "../secret/plan.txt" });
  if ("new_app" in properties) {
    ways.push({ app: "notes", path: "f.txt", new_app: "secret" }, { app: "secret", new_app: "notes" });
  }
  if ("upload_id" in properties) ways.push({ upload_id: upload }, { upload_id: upload, discard: true });
  if ("prefix" in properties) ways.push({ app: "secret", prefix: "" }, { prefix: "sec" });
  if ("pattern" in properties) ways.push({ app: "secret", pattern: "**" });
  if ("command_id" in properties) ways.push({ app: "notes", path: "new.txt", command_id: "used", text: "x" });
  return ways.map((way) => argumentsOf(tool, way));
}

async function stateOf(app: string) {
  const store = openStore(join(folder, "data"));
  try {
    const view = { kind: "files", sort: "path", order: "asc", folders: false } as const;
    const { entries, filesVersion } = await store.list({ app, filter: {}, view, limit: 100 });
    return { entries, filesVersion, upload: await store.uploads.find(upload) };
  } finally {
    store.close();
  }
}

const private_ = /SECRET-CONTENT|very-private/;

test.each([["apps=notes"], ["apps=notes,team-*", "local=false"], ["apps=notes", "local=true"]])(
  "a token of scope %s %s gets around it through no tool and no resource",
  async (...scope) => {
    const client = await connect(...scope.filter((each) => each !== undefined));
    const before = await stateOf("secret");
    const tools = await listed(client);
    expect(tools.length).toBeGreaterThan(5);
    expect(tools.some(({ name }) => name === "file_export")).toBe(scope.includes("local=true"));
    for (const tool of tools) {
      // What the disk holds is for a token that may use it.
      if (tool.name === "file_import") continue;
      for (const args of attemptsOf(tool)) {
        const { content, structuredContent } = await client.call(tool.name, args);
        const said = JSON.stringify([content, structuredContent]);
        expect(said, `${tool.name} ${JSON.stringify(args)}`).not.toMatch(private_);
        if (args.app === "secret") expect(content[0]?.text).toMatch(/^(APP_NOT_ALLOWED|INVALID_ARGUMENT): /);
      }
    }
    const { result } = await client.request("resources/list");
    expect(JSON.stringify(result)).not.toMatch(/secret|very-private/);
    for (const path of ["plan.txt", "very-private-name.txt", "gone.txt", "../secret/plan.txt"]) {
      const uri = `app-files://secret/${path}`;
      for (const method of ["resources/read", "resources/subscribe"]) {
        const { error } = await client.request(method, { uri });
        expect(error, `${method} ${uri}`).toMatchObject({ code: -32002 });
      }
    }
    expect(await stateOf("secret")).toEqual(before);
    // Its own apps it reaches.
    expect((await client.call("file_read", { app: "notes", path: "f.txt" })).isError).toBeUndefined();
  },
);

test("a token that may only read gets no tool that writes, and changes nothing", async () => {
  const client = await connect("--read-only");
  const before = await Promise.all(["notes", "secret", "team-a"].map(stateOf));
  const names = (await listed(client)).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["file_list", "file_read"]));
  expect(names).not.toContain("file_write");
  for (const name of ["file_write", "file_write_begin", "file_import", "file_export", "file_delete"]) {
    await expect(client.call(name, { app: "notes", path: "f.txt", text: "x" })).rejects.toThrow(/-32602/);
  }
  expect(await Promise.all(["notes", "secret", "team-a"].map(stateOf))).toEqual(before);
  expect(await readdir(join(folder, "root"))).toEqual(["x.txt"]);
});

test("a token without limits reaches every app", async () => {
  const client = await connect();
  const { structuredContent } = await client.call("file_read", { app: "secret", path: "plan.txt" });
  expect(structuredContent).toMatchObject({ text: "SECRET-CONTENT" });
  expect((await client.call("file_write_begin", { upload_id: upload })).structuredContent).toMatchObject({
    ...{ app: "secret", bytes: 14 },
  });
});

test("readiness is told to all, sizes of the store to who may see all of it", async () => {
  const client = await connect("apps=notes");
  await client.call("file_list", { app: "notes" });
  const whole = await addToken("operator");
  const limited = await addToken("guest", "--scope", "apps=notes");
  const text = async (path: string, token: string) =>
    (await fetch(new URL(path, url), { headers: { authorization: `Bearer ${token}` } })).text();
  const sizes = ["app_files_apps 3", "app_files_files 4", "app_files_open_uploads 1"].map(
    (line) => `${line}\n`,
  );

  // Whoever is on this machine is its operator; behind a public URL everybody shows a token.
  expect(await text("/readyz", "none")).toBe("ready\n");
  for (const size of sizes) expect(await text("/metrics", "none")).toContain(size);
  await start("--public-url", "https://files.example.org");
  expect(await text("/readyz", limited)).toBe("ready\n");
  for (const size of sizes) expect(await text("/metrics", whole)).toContain(size);
  const few = await text("/metrics", limited);
  expect(few).toContain("mcp_sessions 0\n");
  expect(few).not.toContain("app_files_");
  expect(await text("/metrics", "none")).toContain("a valid bearer token is needed");
});
