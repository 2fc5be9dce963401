import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { connect as connectSocket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type RawServer, startRawServer } from "@mcp-file-servers/core/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { describeContent } from "../src/domain/content.ts";
import { connectHttp } from "./http-client.ts";
import { damage, openStore, putter } from "./world.ts";

const bin = fileURLToPath(new URL("../dist/main.js", import.meta.url));

let folder: string;
let data: string;
let server: RawServer | undefined;
let base: URL;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "app-files-http-"));
  data = join(folder, "data");
});

afterEach(async () => {
  server?.kill("SIGKILL");
  await server?.exited;
  server = undefined;
  await rm(folder, { recursive: true });
});

async function serve(...args: string[]): Promise<void> {
  server = startRawServer({ bin, args: ["--data", data, "--http", "0", ...args], node: process.execPath });
  const [, where = ""] = await server.saidOnStderr(/serves (http:\S+)/);
  base = new URL("/files/", where);
}

const at = (path: string) => new URL(path, base);
const get = (path: string, headers: Record<string, string> = {}) => fetch(at(path), { headers });
const put = (path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  fetch(at(path), { method: "PUT", body, headers });
const del = (path: string, headers: Record<string, string> = {}) =>
  fetch(at(path), { method: "DELETE", headers });
const etagOf = (content: string | Uint8Array) => `"${describeContent(Buffer.from(content)).sha256}"`;
const codeOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { code: string }).code,
];

/** Names of files in the store's folder that lie outside the database. */
async function blobFiles(): Promise<string[]> {
  const all = await readdir(data, { recursive: true, withFileTypes: true });
  return all.filter((entry) => entry.isFile() && !entry.name.startsWith("store.db")).map(({ name }) => name);
}

describe("files over HTTP", () => {
  test("come and go byte for byte, whatever their names and sizes", async () => {
    await serve();
    const large = new Uint8Array(randomBytes(12_000_001));
    for (const [name, content] of [
      ["a%20b/r%C3%A9sum%C3%A9%20(1).bin", large],
      ["%E6%97%A5.txt", new Uint8Array(Buffer.from("text\n"))],
      ["empty", new Uint8Array()],
    ] as const) {
      const stored = await put(`notes/${name}`, content);
      expect(stored.status).toBe(201);
      expect(await stored.json()).toMatchObject({ app: "notes", path: decodeURIComponent(name), version: 1 });
      const read = await get(`notes/${name}`);
      expect(read.status).toBe(200);
      expect(Buffer.compare(Buffer.from(await read.arrayBuffer()), content)).toBe(0);
      expect(read.headers.get("etag")).toBe(etagOf(content));
    }
    expect((await put("notes/empty", "more")).status).toBe(200);
    expect(await (await get("notes/empty?version=1")).text()).toBe("");
    expect(await codeOf(await get("notes/empty?version=x"))).toEqual([400, "INVALID_ARGUMENT"]);
    expect(await codeOf(await get("notes/empty?version=9"))).toEqual([404, "NOT_FOUND"]);
  });

  test("come in the largest chunks that the tools take, and go out whole", async () => {
    await serve();
    const client = await connectHttp(new URL("/mcp", base), "");
    const bytes = randomBytes(2 * 5 * 1024 * 1024);
    const begun = await client.call("file_write_begin", { app: "notes", size: bytes.length });
    const upload_id = begun.structuredContent?.upload_id;
    for (const seq of [1, 0]) {
      const chunk = bytes.subarray((seq * bytes.length) / 2, ((seq + 1) * bytes.length) / 2);
      const data_base64 = chunk.toString("base64");
      const sent = await client.call("file_write_chunk", { upload_id, seq, data_base64 });
      expect(sent.structuredContent).toMatchObject({ chunk_size: chunk.length });
    }
    await client.call("file_write_commit", { upload_id, path: "large", size: bytes.length });
    const got = Buffer.from(await (await get("notes/large")).arrayBuffer());
    expect(got.equals(bytes)).toBe(true);
  });

  test("run in no browser", async () => {
    await serve();
    await put("notes/x%22%0Dy.html".replace("%0D", "é"), "<script>alert(1)</script>", {
      "content-type": "text/html; charset=utf-8",
    });
    const { headers } = await get("notes/x%22%C3%A9y.html");
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "text/html",
      "content-disposition": `attachment; filename="x__y.html"; filename*=UTF-8''x%22%C3%A9y.html`,
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "private, no-cache",
      "x-file-version": "1",
    });
    const head = await fetch(at("notes/x%22%C3%A9y.html"), { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "25", ""]);
  });

  test("can be read in ranges, and need not be read twice", async () => {
    await serve();
    const content = "0123456789".repeat(60_000);
    await put("notes/f", content);
    const etag = etagOf(content);
    for (const [range, part, contentRange] of [
      ["bytes=5-8", "5678", "bytes 5-8/600000"],
      ["bytes=-3", "789", "bytes 599997-599999/600000"],
      ["bytes=299999-500001", content.slice(299_999, 500_002), "bytes 299999-500001/600000"],
    ] as const) {
      const response = await get("notes/f", { range });
      expect([response.status, response.headers.get("content-range")]).toEqual([206, contentRange]);
      expect(await response.text()).toBe(part);
    }
    const beyond = await get("notes/f", { range: "bytes=600000-" });
    expect(beyond.headers.get("content-range")).toBe("bytes */600000");
    expect(await codeOf(beyond)).toEqual([416, "RANGE_NOT_SATISFIABLE"]);
    expect((await get("notes/f", { range: "bytes=0-1", "if-range": etag })).status).toBe(206);
    expect((await get("notes/f", { range: "bytes=0-1", "if-range": '"other"' })).status).toBe(200);
    const known = await get("notes/f", { "if-none-match": `"x", ${etag}` });
    expect([known.status, await known.text()]).toEqual([304, ""]);
    expect(await codeOf(await get("notes/f", { "if-match": '"other"' }))).toEqual([412, "VERSION_CONFLICT"]);
  });

  test("are replaced and deleted on conditions alone, where there are any", async () => {
    await serve();
    expect((await put("notes/f", "one", { "if-none-match": "*" })).status).toBe(201);
    expect(await codeOf(await put("notes/f", "two", { "if-none-match": "*" }))).toEqual([
      412,
      "VERSION_CONFLICT",
    ]);
    expect(await codeOf(await put("notes/f", "two", { "if-match": etagOf("other") }))).toEqual([
      412,
      "VERSION_CONFLICT",
    ]);
    expect(await codeOf(await put("notes/new", "two", { "if-match": "*" }))).toEqual([
      412,
      "VERSION_CONFLICT",
    ]);
    expect((await put("notes/f", "two", { "if-match": etagOf("one") })).status).toBe(200);
    expect(await codeOf(await del("notes/f", { "if-match": etagOf("one") }))).toEqual([
      412,
      "VERSION_CONFLICT",
    ]);
    expect(await (await get("notes/f")).text()).toBe("two");
    expect((await del("notes/f", { "if-match": etagOf("two") })).status).toBe(204);
    expect(await codeOf(await get("notes/f"))).toEqual([404, "NOT_FOUND"]);
    expect(await codeOf(await del("notes/f"))).toEqual([404, "NOT_FOUND"]);
  });

  test("are refused as tools refuse them, and nothing is left behind", async () => {
    await serve("--limits", "file_bytes=100000", "--allow-app", "notes");
    const large = new Uint8Array(100_001);
    expect(await codeOf(await put("notes/f", large))).toEqual([413, "LIMIT_EXCEEDED"]);
    // Without a length, which is found out on the way.
    const chunked = await fetch(at("notes/f"), {
      method: "PUT",
      body: new Blob([large]).stream(),
      duplex: "half",
    } as RequestInit);
    expect(await codeOf(chunked)).toEqual([413, "LIMIT_EXCEEDED"]);
    await put("notes/a", "x");
    for (const [response, status, code] of [
      [await put("notes/A", "x"), 409, "PATH_COLLISION"],
      [await put("notes/a/b", "x"), 409, "PATH_COLLISION"],
      [await put("notes/a%5Cb", "x"), 400, "INVALID_PATH"],
      [await put("notes/a%00b", "x"), 400, "INVALID_PATH"],
      [await put("notes/%FF", "x"), 400, "INVALID_PATH"],
      [await put("notes/", "x"), 400, "INVALID_PATH"],
      [await put("notes//a", "x"), 400, "INVALID_PATH"],
      [await put("notes/t", "x", { "content-type": "no/good/type" }), 400, "INVALID_ARGUMENT"],
      [await put("Notes/a", "x"), 400, "INVALID_APP"],
      [await get("secret/a"), 403, "APP_NOT_ALLOWED"],
      [await fetch(at("notes/a"), { method: "POST", body: "x" }), 405, "METHOD_NOT_ALLOWED"],
    ] as const) {
      expect(await codeOf(response)).toEqual([status, code]);
    }
    expect(await blobFiles()).toEqual([]);
  });

  test("whose body breaks off leave nothing behind", async () => {
    await serve();
    const request = httpRequest(at("notes/f"), { method: "PUT", headers: { "content-length": 1_000_000 } });
    request.on("error", () => {});
    await new Promise((resolve) => request.write(Buffer.alloc(500_000, 1), resolve));
    // Until something of it has come to the disk.
    while ((await blobFiles()).length === 0) await new Promise((resolve) => setImmediate(resolve));
    request.destroy();
    await server?.saidOnStderr(/call token=local tool=files subject="PUT notes f" outcome=BODY_INCOMPLETE/);
    expect(await blobFiles()).toEqual([]);
    expect(await codeOf(await get("notes/f"))).toEqual([404, "NOT_FOUND"]);
  });

  test("that are damaged are never served whole", async () => {
    const store = openStore(data);
    const bytes = Buffer.alloc(2_000_000, 1);
    await putter(store)("notes", "early", bytes.subarray(0, 300_000));
    await putter(store)("notes", "late", bytes);
    store.close();
    await damage(data, describeContent(bytes.subarray(0, 300_000)).sha256);
    await damage(data, describeContent(bytes).sha256, 1_900_000);
    await serve();
    expect(await codeOf(await get("notes/early"))).toEqual([500, "CORRUPT"]);
    // The length was promised before the damage is met: the answer breaks off.
    const late = await get("notes/late");
    expect(late.headers.get("content-length")).toBe("2000000");
    await expect(late.arrayBuffer()).rejects.toThrow();
  });

  test("are sent to the end when the server is stopped meanwhile", async () => {
    const store = openStore(data);
    await putter(store)("notes", "f", Buffer.alloc(9_000_000, 7));
    store.close();
    await serve();
    const response = await get("notes/f");
    server?.kill("SIGTERM");
    expect((await response.arrayBuffer()).byteLength).toBe(9_000_000);
    expect(await server?.exited).toMatchObject({ code: 0 });
  });
});

describe("tokens", () => {
  const tokenFile = () => join(folder, "tokens.json");
  async function addToken(name: string, ...more: string[]): Promise<string> {
    const args = [bin, "token", "add", name, ...more, "--tokens", tokenFile()];
    return (await promisify(execFile)(process.execPath, args)).stdout.trim();
  }

  test("reach what lies in their scope and no more, by any spelling", async () => {
    const limited = await addToken("limited", "--scope", "apps=notes");
    const reader = await addToken("reader", "--read-only");
    const store = openStore(data);
    await putter(store)("notes", "f", "of notes");
    await putter(store)("secret", "plan", "SECRET-CONTENT");
    store.close();
    await serve("--tokens", tokenFile());
    const as = (token: string) => ({ authorization: `Bearer ${token}` });
    expect((await get("secret/plan")).status).toBe(401);
    expect((await put("notes/f", "x", as("x".repeat(56)))).status).toBe(401);
    expect(await (await get("notes/f", as(limited))).text()).toBe("of notes");
    const spellings = [
      ...["secret/plan", "notes/../secret/plan", "notes/%2e%2e/secret/plan", "notes/..%2fsecret%2fplan"],
      ...["./secret/plan", "%73ecret/plan", "/secret/plan", "SECRET/plan", "notes%2f..%2fsecret/plan"],
    ];
    for (const spelling of spellings) {
      for (const method of ["GET", "HEAD", "PUT", "DELETE"]) {
        const body = method === "PUT" ? { body: "stolen" } : {};
        // As it stands: fetch would put `..` right.
        const { port } = base;
        const socket = connectSocket(Number(port), "127.0.0.1");
        const length = method === "PUT" ? `Content-Length: ${body.body?.length}\r\n` : "";
        socket.write(
          `${method} /files/${spelling} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${limited}\r\n${length}Connection: close\r\n\r\n${body.body ?? ""}`,
        );
        let text = "";
        for await (const chunk of socket) text += chunk;
        expect(text, `${method} ${spelling}`).toMatch(/^HTTP\/1.1 40[034] /);
        expect(text).not.toContain("SECRET-CONTENT");
      }
    }
    for (const response of [await put("notes/f", "x", as(reader)), await del("notes/f", as(reader))]) {
      expect(await codeOf(response)).toEqual([403, "READ_ONLY"]);
    }
    expect(await (await get("secret/plan", as(reader))).text()).toBe("SECRET-CONTENT");
    expect(await (await get("notes/f", as(reader))).text()).toBe("of notes");
  });
});
