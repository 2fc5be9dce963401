import { connect as connectSocket } from "node:net";
import { describe, expect, test } from "vitest";
import { handshake, post } from "./shelf/post.ts";
import { useShelf } from "./shelf/use-shelf.ts";

const { start, serve, connect, runToken, tokenFile } = await useShelf();

/** The status of a request whose headers fetch would not send. */
async function rawStatus(url: URL, headers: readonly string[]): Promise<number> {
  const socket = connectSocket(Number(url.port), "127.0.0.1");
  socket.write(`GET /readyz HTTP/1.1\r\n${headers.join("\r\n")}\r\nConnection: close\r\n\r\n`);
  let text = "";
  for await (const chunk of socket) text += chunk;
  return Number(/^HTTP\/1.1 (\d+)/.exec(text)?.[1]);
}

describe("HTTP", () => {
  test("gives the same definitions and answers as stdio", async () => {
    const { url } = await serve();
    const client = await connect(url);
    const stdio = start("a,b,c,xa,xb");
    await stdio.initialize();
    expect(await client.listTools()).toEqual((await stdio.request("tools/list")).result);
    for (const args of [
      { limit: "2", tags: null },
      { limt: 2 },
      { cursor: "x" },
      { prefix: "x", details: true },
    ]) {
      const params = { name: "item_list", arguments: args };
      expect(await client.callTool(params)).toEqual((await stdio.request("tools/call", params)).result);
    }
  });

  test("tells progress and changes", async () => {
    const { url } = await serve();
    const client = await connect(url);
    // The client forgets its listener with the answer, so the answer comes when progress has been seen.
    const stop = new AbortController();
    const progress = await new Promise((resolve) => {
      client
        .callTool({ name: "shelf_wait", arguments: { milliseconds: 20_000 } }, undefined, {
          onprogress: resolve,
          signal: stop.signal,
        })
        .catch(() => {});
    });
    stop.abort();
    expect(progress).toMatchObject({ progress: 0, total: 20_000 });
    const updated = new Promise((resolve) => {
      client.fallbackNotificationHandler = async ({ method, params }) => {
        if (method === "notifications/resources/updated") resolve(params?.uri);
      };
    });
    await client.subscribeResource({ uri: "shelf:///a" });
    await client.callTool({ name: "item_write", arguments: { name: "a", text: "2" } });
    expect(await updated).toBe("shelf:///a");
  });

  test("takes bodies up to 16 MiB", async () => {
    const { url } = await serve();
    const client = await connect(url);
    const text = "x".repeat(7_000_000);
    const written = await client.callTool({ name: "item_write", arguments: { name: "big", text } });
    expect(written.structuredContent).toMatchObject({ length: text.length });
    expect((await post(url, { ...handshake, padding: "x".repeat(17_000_000) })).status).toBe(413);
    expect((await client.callTool({ name: "item_list" })).isError).toBeUndefined();
  });

  test("serves only callers that name it, and pages of no other site", async () => {
    const { url } = await serve();
    const own = `Host: 127.0.0.1:${url.port}`;
    expect(await rawStatus(url, [own])).toBe(200);
    expect(await rawStatus(url, ["Host: localhost:1"])).toBe(200);
    expect(await rawStatus(url, ["Host: evil.example"])).toBe(403);
    expect(await rawStatus(url, [own, "Origin: http://evil.example"])).toBe(403);
    expect(await rawStatus(url, [own, "Origin: null"])).toBe(403);
    expect(await rawStatus(url, [own, "Origin: http://localhost:6274"])).toBe(200);
    await runToken("add", "ann");
    const proxied = await serve("--public-url", "https://files.example.org/x", "--tokens", tokenFile);
    // Behind a proxy even a loopback caller needs a token.
    expect(await rawStatus(proxied.url, ["Host: files.example.org"])).toBe(401);
    expect(await rawStatus(proxied.url, ["Host: other.example.org"])).toBe(403);
  });

  test("tells its health, readiness and figures", async () => {
    const { url } = await serve();
    const client = await connect(url);
    await client.callTool({ name: "item_list" });
    await client.callTool({ name: "item_read", arguments: { name: "none" } });
    const text = async (path: string) => (await fetch(new URL(path, url))).text();
    expect(await text("/healthz")).toBe("ok\n");
    expect(await text("/readyz")).toBe("ready\n");
    const metrics = await text("/metrics");
    expect(metrics).toContain('mcp_calls_total{tool="item_list",outcome="ok"} 1');
    expect(metrics).toContain('mcp_calls_total{tool="item_read",outcome="NOT_FOUND"} 1');
    expect(metrics).toContain('mcp_call_seconds_count{tool="item_list"} 1');
    expect(metrics).toContain("mcp_sessions 1");
    expect(metrics).toMatch(/^mcp_connections [1-9]\d*$/m);
    expect(metrics).toContain("shelf_items 5");
    const empty = start("--http", "0");
    const [, where = ""] = await empty.saidOnStderr(/serves (http:\S+)/);
    const readiness = await fetch(new URL("/readyz", where));
    expect([readiness.status, await readiness.text()]).toEqual([503, "not ready\nempty shelf\n"]);
  });

  test("leaves one line a call, without contents", async () => {
    const { url, server } = await serve();
    const client = await connect(url);
    await client.callTool({ name: "item_write", arguments: { name: "a", text: "SECRET-CONTENT" } });
    await client.callTool({ name: "item_read", arguments: { name: "none" } });
    await server.saidOnStderr(/call token=local tool=item_read subject=none outcome=NOT_FOUND ms=\d+/);
    expect(server.stderr()).toMatch(/call token=local tool=item_write subject="" outcome=ok ms=\d+\n/);
    expect(server.stderr()).not.toContain("SECRET-CONTENT");
  });

  test("serves a server's own routes to the same callers, with a line each", async () => {
    const token = await runToken("add", "reader", "--read-only", "--scope", "prefixes=x");
    const { url, server } = await serve("--tokens", tokenFile);
    const get = (path: string, bearer?: string) =>
      fetch(
        new URL(path, url),
        bearer === undefined ? {} : { headers: { authorization: `Bearer ${bearer}` } },
      );
    expect((await get("/items/xa")).status).toBe(401);
    expect((await get("/items/xa", "x".repeat(50))).status).toBe(401);
    const answer = await get("/items/xa", token);
    expect([answer.status, await answer.json()]).toEqual([200, { item: expect.anything(), readOnly: true }]);
    // Outside its scope, and a fault of the route.
    expect((await get("/items/a", token)).status).toBe(404);
    const broken = await get("/items/broken", token);
    expect([broken.status, await broken.text()]).toEqual([500, "internal error\n"]);
    await server.saidOnStderr(/call token=reader tool=items subject=xa outcome=ok ms=\d+/);
    await server.saidOnStderr(/call token=reader tool=items subject=a outcome=NOT_FOUND/);
    await server.saidOnStderr(/call token=reader tool=items subject="" outcome=INTERNAL/);
    expect((await get("/other/xa", token)).status).toBe(404);
  });

  test("serves routes whose path is their right without a token, but not to other sites", async () => {
    await runToken("add", "other");
    const { url, server } = await serve("--tokens", tokenFile);
    const get = (path: string, headers: Record<string, string> = {}) =>
      fetch(new URL(path, url), { headers });
    expect(await (await get("/open/sesame")).text()).toBe("come in");
    expect((await get("/open/barley")).status).toBe(404);
    expect((await get("/open/sesame", { origin: "https://x.example" })).status).toBe(403);
    await server.saidOnStderr(/call token=ali tool=open subject=door outcome=ok ms=\d+/);
    await server.saidOnStderr(/call token="" tool=open subject="" outcome=NOT_FOUND/);
    expect(server.stderr()).not.toContain("sesame");
  });

  test("answers unknown sessions and requests without a handshake by the protocol", async () => {
    const { url } = await serve();
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    expect((await post(url, list, { "mcp-session-id": "none" })).status).toBe(404);
    expect((await post(url, list)).status).toBe(400);
    expect((await fetch(url, { method: "PUT" })).status).toBe(405);
  });

  test.each([
    [["--http", "0.0.0.0:0"], /opens the server to others: give --tokens or --oauth-issuer/],
    [["--http", "0", "--public-url", "https://x.example"], /--public-url opens the server to others/],
    [["--http", "nonsense"], /--http must be \[HOST:\]PORT/],
    [["--http", "0", "--tokens", "/nowhere/tokens.json"], /cannot be read \(ENOENT\)/],
    [["--http", "0", "--oauth-issuer", "http://x.example"], /needed together/],
    [["--http", "0", "--public-url", "files"], /--public-url must be an http or https URL/],
  ])("does not start with %j", async (args, says) => {
    const server = start(...args);
    expect(await server.exited).toEqual({ code: 2, signal: null });
    expect(server.stderr()).toMatch(says);
    expect(server.stderr().split("\n")).toHaveLength(2);
  });

  test("does not start on a port that is taken", async () => {
    const { url } = await serve();
    const second = start("--http", url.port);
    expect(await second.exited).toEqual({ code: 2, signal: null });
    expect(second.stderr()).toMatch(/cannot be listened on \(EADDRINUSE\)/);
  });
});

describe("stopping over HTTP", () => {
  test("finishes what is under way and ends with 0, event streams or not", async () => {
    const { server, url } = await serve();
    const client = await connect(url);
    const running = client.callTool({ name: "shelf_wait", arguments: { milliseconds: 300 } });
    await fetch(new URL("/healthz", url));
    server.kill("SIGTERM");
    expect((await running).structuredContent).toMatchObject({ waited: 300 });
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });

  test("ends with 0 when nothing is under way", async () => {
    const { server, url } = await serve();
    await connect(url);
    server.kill("SIGTERM");
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });

  test("goes on when its input ends", async () => {
    const { server, url } = await serve();
    server.endInput();
    const client = await connect(url);
    expect((await client.listTools()).tools).toHaveLength(4);
  });
});
