import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type RawServer, startRawServer } from "@mcp-file-servers/core/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hashSecret } from "../src/domain/link.ts";
import { connectHttp, type HttpClient } from "./http-client.ts";
import { openStore, putter } from "./world.ts";

const bin = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const content = Buffer.from(Array.from({ length: 600_000 }, (_, at) => (at * 2_654_435_761) >>> 24));

let folder: string;
let data: string;
const servers: RawServer[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "app-files-links-"));
  data = join(folder, "data");
  const store = openStore(data);
  await putter(store)("notes", "July (1).bin", content);
  await putter(store)("notes", "other.txt", "OTHER");
  await putter(store)("secret", "plan.txt", "SECRET");
  store.close();
});

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.kill("SIGKILL");
    await server.exited;
  }
  await rm(folder, { recursive: true });
});

const tokenFile = () => join(folder, "tokens.json");

/** A server with tokens, and its address. */
async function serve(...args: string[]): Promise<{ readonly server: RawServer; readonly url: URL }> {
  const all = ["--data", data, "--http", "0", "--tokens", tokenFile(), ...args];
  const server = startRawServer({ bin, args: all, node: process.execPath });
  servers.push(server);
  const [, where = ""] = await server.saidOnStderr(/serves (http:\S+)/);
  return { server, url: new URL(where) };
}

async function addToken(name: string, ...more: string[]): Promise<string> {
  const args = [bin, "token", "add", name, ...more, "--tokens", tokenFile()];
  return (await promisify(execFile)(process.execPath, args)).stdout.trim();
}

const july = { app: "notes", path: "July (1).bin" };

async function linkOf(client: HttpClient, file: object = july): Promise<URL> {
  const { structuredContent, content: blocks } = await client.call("file_read", { ...file, link: true });
  expect(blocks[0]?.text).toContain('"link":');
  return new URL(String(structuredContent?.link));
}

const codeOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { code: string }).code,
];
const gone = [404, "NOT_FOUND"];

test("answers name the file's URL, which serves it to the same token", async () => {
  const token = await addToken("writer");
  const { url } = await serve();
  const client = await connectHttp(url, token);
  const headers = { authorization: `Bearer ${token}` };
  const get = (where: unknown, more = headers) => fetch(String(where), { headers: more });

  const read = (await client.call("file_read", july)).structuredContent;
  expect(read?.url).toBe(new URL("/files/notes/July%20(1).bin", url).href);
  expect(read?.link).toBeUndefined();
  expect(Buffer.compare(Buffer.from(await (await get(read?.url)).arrayBuffer()), content)).toBe(0);
  expect((await get(read?.url, { authorization: "Bearer none" })).status).toBe(401);

  const name = "résumé/100% #1?.txt";
  const written = (await client.call("file_write", { app: "notes", path: name, text: "one" }))
    .structuredContent;
  await client.call("file_write", { app: "notes", path: name, text: "two" });
  expect(await (await get(written?.url)).text()).toBe("two");
  const first = (await client.call("file_read", { app: "notes", path: name, version: 1 })).structuredContent;
  expect(await (await get(first?.url)).text()).toBe("one");

  const begun = (await client.call("file_write_begin", { app: "notes", size: 3 })).structuredContent;
  const { upload_id: id } = begun as { upload_id: string };
  await client.call("file_write_chunk", { upload_id: id, seq: 0, data_base64: "YWJj" });
  const commit = { upload_id: id, path: "c.txt", size: 3 };
  const committed = (await client.call("file_write_commit", commit)).structuredContent;
  expect(await (await get(committed?.url)).text()).toBe("abc");
});

test("a link downloads one version once, without a token, and nothing but a GET uses it up", async () => {
  const token = await addToken("reader", "--read-only");
  const { url, server } = await serve();
  const client = await connectHttp(url, token);
  const link = await linkOf(client);
  expect(link.origin).toBe(url.origin);
  expect(link.pathname).toMatch(/^\/files\/-\/[\w-]{43}$/);
  // Written meanwhile: the link is to the version that was there.
  const store = openStore(data);
  await putter(store)("notes", july.path, "newer");
  store.close();

  const head = await fetch(link, { method: "HEAD" });
  expect([head.status, head.headers.get("content-length")]).toEqual([200, String(content.length)]);
  expect(await codeOf(await fetch(link, { headers: { "sec-purpose": "prefetch" } }))).toEqual([
    425,
    "PREFETCH",
  ]);
  for (const method of ["POST", "PUT", "DELETE"]) {
    expect(await codeOf(await fetch(link, { method }))).toEqual([405, "METHOD_NOT_ALLOWED"]);
  }
  const beyond = await fetch(link, { headers: { range: "bytes=900000-" } });
  expect(beyond.status).toBe(416);
  const foreign = await fetch(link, { headers: { origin: "https://x.example" } });
  expect(foreign.status).toBe(403);

  const got = await fetch(link);
  expect(got.status).toBe(200);
  expect(Buffer.compare(Buffer.from(await got.arrayBuffer()), content)).toBe(0);
  expect(Object.fromEntries(got.headers)).toMatchObject({
    "cache-control": "private, no-store",
    "content-disposition": `attachment; filename="July (1).bin"; filename*=UTF-8''July%20%281%29.bin`,
    "content-security-policy": "default-src 'none'; sandbox",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-file-version": "1",
  });
  expect(await codeOf(await fetch(link))).toEqual(gone);
  expect((await fetch(link, { method: "HEAD" })).status).toBe(404);

  await server.saidOnStderr(/call token=reader tool=links subject="GET notes July \(1\).bin" outcome=ok/);
  expect(server.stderr()).not.toContain(link.pathname.slice("/files/-/".length, -20));
});

test("a link serves a range on its one GET, and one of many at once", async () => {
  const token = await addToken("reader");
  const { url } = await serve();
  const client = await connectHttp(url, token);
  const ranged = await fetch(await linkOf(client), { headers: { range: "bytes=599990-" } });
  expect([ranged.status, ranged.headers.get("content-range")]).toEqual([206, "bytes 599990-599999/600000"]);
  expect(Buffer.compare(Buffer.from(await ranged.arrayBuffer()), content.subarray(-10))).toBe(0);

  const raced = await linkOf(client);
  const answers = await Promise.all(Array.from({ length: 8 }, () => fetch(raced)));
  const bodies = await Promise.all(answers.map((each) => each.arrayBuffer()));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 404)]);
  expect(bodies.filter((body) => Buffer.compare(Buffer.from(body), content) === 0)).toHaveLength(1);
});

test("a link cannot be guessed, widened or read out of the store", async () => {
  const token = await addToken("limited", "--scope", "apps=notes");
  const { url } = await serve();
  const client = await connectHttp(url, token);
  const link = await linkOf(client);
  for (const end of ["x", "/", "/../../secret/plan.txt", "?version=2", "/other.txt"]) {
    const response = await fetch(`${link.href}${end}`, { method: "HEAD" });
    if (end.startsWith("?")) expect(response.headers.get("x-file-version")).toBe("1");
    else expect([401, 404]).toContain(response.status);
  }
  const secret = link.pathname.slice("/files/-/".length);
  for (const other of ["", "x", secret.slice(1), secret.toUpperCase(), "%", "..%2f", hashSecret(secret)]) {
    const response = await fetch(new URL(`/files/-/${other}`, url));
    expect([other, ...(await codeOf(response))]).toEqual([other, ...gone]);
  }
  for (const file of ["store.db", "store.db-wal"]) {
    expect((await readFile(join(data, file))).includes(secret)).toBe(false);
  }
  const refused = await client.call("file_read", { app: "secret", path: "plan.txt", link: true });
  expect(refused.content[0]?.text).toMatch(/^APP_NOT_ALLOWED: /);
  const missing = await client.call("file_read", { app: "notes", path: "none", link: true });
  expect(missing.content[0]?.text).toMatch(/^NOT_FOUND: /);
  const windowed = await client.call("file_read", { ...july, link: true, offset: 5 });
  expect(windowed.content[0]?.text).toMatch(/^INVALID_ARGUMENT: offset/);
  expect((await fetch(link)).status).toBe(200);
});

test("a link is good on every server of the store that serves its app, until its time is over", async () => {
  const token = await addToken("reader");
  const [one, other, narrow] = [await serve(), await serve(), await serve("--allow-app", "secret")];
  const client = await connectHttp(one.url, token);
  const { pathname } = await linkOf(client);
  expect(await codeOf(await fetch(new URL(pathname, narrow.url)))).toEqual(gone);
  const got = await fetch(new URL(pathname, other.url));
  expect(Buffer.compare(Buffer.from(await got.arrayBuffer()), content)).toBe(0);
  expect(await codeOf(await fetch(new URL(pathname, one.url)))).toEqual(gone);

  const store = openStore(data);
  const link = { ...july, version: 1, by: "reader" };
  await store.links.add(hashSecret("late"), { ...link, expiresAt: Date.now() - 1 });
  await store.links.add(hashSecret("early"), { ...link, expiresAt: Date.now() + 600_000 });
  store.close();
  expect(await codeOf(await fetch(new URL("/files/-/late", one.url)))).toEqual(gone);
  expect((await fetch(new URL("/files/-/late", one.url), { method: "HEAD" })).status).toBe(404);
  expect((await fetch(new URL("/files/-/early", one.url))).status).toBe(200);
});

test("a server that may not write its store names URLs and makes no links", async () => {
  const token = await addToken("reader");
  const { url } = await serve("--read-only", "--public-url", "https://files.example.org/x");
  const client = await connectHttp(url, token);
  const read = (await client.call("file_read", july)).structuredContent;
  expect(read?.url).toBe("https://files.example.org/files/notes/July%20(1).bin");
  const asked = await client.call("file_read", { ...july, link: true });
  expect(asked.content[0]?.text).toMatch(/^INVALID_ARGUMENT: unknown argument "link"/);
  expect((await fetch(new URL("/files/-/x", url))).status).toBe(401);
});
