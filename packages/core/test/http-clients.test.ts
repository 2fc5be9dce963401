import { once } from "node:events";
import { connect as connectSocket, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { serveHttp } from "../src/http/serve-http.ts";
import { tokenAuthentication } from "../src/http/tokens.ts";
import { createLog } from "../src/log.ts";
import { app, newShelf } from "./shelf/app.ts";
import { handshake, post } from "./shelf/post.ts";
import { useShelf } from "./shelf/use-shelf.ts";

const { serve: start, runToken, tokenFile: tokens } = await useShelf();
let token = "";
beforeEach(async () => {
  token = await runToken("add", "ann");
});

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const serve = async (...args: string[]) => (await start(...args)).url;

/** Opens a session and returns the headers of its requests. */
async function open(url: URL, headers: Record<string, string> = {}): Promise<Record<string, string>> {
  const begun = await post(url, handshake, headers);
  await begun.text();
  return { ...headers, "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
}

async function openSocket(url: URL): Promise<Socket> {
  const socket = connectSocket(Number(url.port), "127.0.0.1").on("error", () => {});
  sockets.push(socket);
  await once(socket, "connect");
  return socket;
}

/** A request as it goes over the wire. */
function written(url: URL, method: string, headers: Record<string, string>, body = ""): string {
  const lines = Object.entries({
    host: url.host,
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    ...(body !== "" && { "content-length": String(Buffer.byteLength(body)) }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} /mcp HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

const events = { accept: "text/event-stream" };

const call = (id: number, name: string, args: object) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args },
});

test("a cancelled call gets no answer, and its response ends", async () => {
  const url = await serve("--concurrent", "2");
  const session = await open(url);
  for (let id = 10; id < 15; id++) {
    const waiting = await post(url, call(id, "shelf_wait", { milliseconds: 30_000 }), session);
    const params = { requestId: id };
    const notified = await post(url, { jsonrpc: "2.0", method: "notifications/cancelled", params }, session);
    expect([waiting.status, notified.status]).toEqual([200, 202]);
    expect(await waiting.text()).not.toContain("data:");
  }
  expect((await post(url, call(20, "item_list", {}), session)).status).toBe(200);
});

test("clients that leave before they are answered hold no place", async () => {
  const url = await serve("--tokens", tokens, "--concurrent", "2");
  const headers = { authorization: `Bearer ${token}` };
  const list = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" });
  for (let turn = 0; turn < 200; turn++) {
    const socket = await openSocket(url);
    socket.write(written(url, "POST", headers, list), () => socket.resetAndDestroy());
    await once(socket, "close");
  }
  const status = async () => (await post(url, handshake, headers)).status;
  await expect.poll(status, { timeout: 20_000 }).toBe(200);
});

test("refuses several messages in one, and what is none, as stdio does", async () => {
  const url = await serve();
  const session = await open(url);
  const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
  const refused = async (body: unknown) => {
    const answer = await post(url, body, session);
    const { error } = (await answer.json()) as { error: { code: number } };
    return [answer.status, error.code];
  };
  expect(await refused([list, list])).toEqual([400, -32600]);
  expect(await refused([handshake])).toEqual([400, -32600]);
  expect(await refused("{not json")).toEqual([400, -32700]);
  expect(await refused({ jsonrpc: "2.0", id: 5, method: 7 })).toEqual([400, -32600]);
  expect((await post(url, list, session)).status).toBe(200);
});

test("one caller's sessions leave room for those of others, and its oldest give way", async () => {
  const url = await serve("--tokens", tokens);
  const ann = { authorization: `Bearer ${token}` };
  const bob = { authorization: `Bearer ${await runToken("add", "bob")}` };
  const others = await open(url, bob);
  const own = [];
  for (let count = 0; count < 101; count++) own.push(await open(url, ann));
  const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
  const status = async (session: Record<string, string> | undefined) =>
    (await post(url, list, session)).status;
  expect(await Promise.all([own[0], own[1], own[100], others].map(status))).toEqual([404, 200, 200, 200]);
  // A session that listens is in use and stays.
  const listening = own.slice(1).map((headers) => fetch(url, { headers: { ...headers, ...events } }));
  expect((await Promise.all(listening)).every(({ status }) => status === 200)).toBe(true);
  const refused = await post(url, handshake, ann);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "60"]);
  expect((await post(url, handshake, bob)).status).toBe(200);
});

describe("clients that take their time", () => {
  const patience = { headers: 2_000, message: 3_000, file: 60_000, silence: 10_000, listening: 50 };

  const shelf = newShelf(["a"]);

  /** The shelf in this process, with little patience, and with a route for files, which may take longer. */
  async function serveImpatiently(): Promise<URL> {
    const authenticate = await tokenAuthentication(tokens, Date.now);
    const routes = {
      prefix: "/files/",
      name: "files",
      answer: async () => ({ response: new Response("ok"), subject: "", outcome: "ok" }),
    };
    const served = await serveHttp(
      { app, deps: shelf, routes, close: () => {} },
      {
        address: { host: "127.0.0.1", port: 0 },
        authenticate,
        limits: { requestsPerMinute: 100_000, concurrent: 16 },
        maxResultBytes: 50_000_000,
        patience,
        log: createLog(() => {}, "error"),
        now: Date.now,
      },
    );
    closing.push((waitMs = 0) => served.close(waitMs));
    return new URL(served.url);
  }

  const closing: ((waitMs?: number) => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  test.each([
    ["says nothing", () => ""],
    ["does not end its headers", (url: URL) => written(url, "POST", {}).slice(0, 60)],
    [
      "does not end its message",
      (url: URL) => {
        const headers = { authorization: `Bearer ${token}`, "content-length": "1000" };
        return `${written(url, "POST", headers)}{"jsonrpc"`;
      },
    ],
  ])("one that %s is cut off, while others are served", async (_what, begin) => {
    const url = await serveImpatiently();
    const slow = await openSocket(url);
    const closed = once(slow.resume(), "close");
    slow.write(begin(url));
    const drip = setInterval(() => slow.write(begin(url) === "" ? "" : "a"), 50);
    try {
      expect((await post(url, handshake, { authorization: `Bearer ${token}` })).status).toBe(200);
      await closed;
    } finally {
      clearInterval(drip);
    }
  });

  test("one that does not read its events is cut off, while others are served", async () => {
    const url = await serveImpatiently();
    const headers = { authorization: `Bearer ${token}` };
    const session = await open(url, headers);
    const name = "n".repeat(20_000);
    const uri = `shelf:///${name}`;
    const deaf = await openSocket(url);
    deaf.write(written(url, "GET", session));
    await once(deaf, "readable");
    const subscribe = { jsonrpc: "2.0", id: 2, method: "resources/subscribe", params: { uri } };
    expect((await post(url, subscribe, session)).status).toBe(200);
    const other = await open(url, headers);
    // A session has one listener: another one is let in when this one is gone.
    const listen = async () => {
      const stream = await fetch(url, { headers: { ...session, ...events } });
      await stream.body?.cancel();
      return stream.status;
    };
    expect(await listen()).toBe(409);
    let id = 3;
    do {
      const answer = await post(url, call(id++, "item_write", { name, text: "" }), other);
      expect([answer.status, await answer.text()]).toEqual([
        200,
        expect.stringContaining("structuredContent"),
      ]);
    } while ((await listen()) !== 200);
  });

  test("one that reads slowly gets all of its answer when the server stops", async () => {
    const url = await serveImpatiently();
    shelf.items.set("large", "x".repeat(10_000_000));
    const session = await open(url, { authorization: `Bearer ${token}` });
    const slow = await openSocket(url);
    const headers = { ...session, connection: "close" };
    slow.write(written(url, "POST", headers, JSON.stringify(call(2, "item_read", { name: "large" }))));
    await once(slow, "readable");
    const stopped = closing.pop()?.(20_000);
    let bytes = 0;
    let end = "";
    for await (const part of slow) {
      bytes += part.length;
      end = `${end}${part}`.slice(-50);
    }
    await stopped;
    expect(bytes).toBeGreaterThan(20_000_000);
    expect(end).toMatch(/\r\n0\r\n\r\n$/);
  });

  test("one that listens stops to hear when its token is removed", async () => {
    const url = await serveImpatiently();
    const eve = { authorization: `Bearer ${await runToken("add", "eve")}` };
    const session = await open(url, eve);
    const stream = await fetch(url, { headers: { ...session, ...events } });
    expect(stream.status).toBe(200);
    await runToken("remove", "eve");
    await expect(stream.text()).rejects.toThrow(/terminated/);
  });
});

test("500 connections that do nothing keep nobody from being served", async () => {
  const url = await serve();
  await Promise.all(Array.from({ length: 500 }, () => openSocket(url)));
  const session = await open(url);
  const answer = await post(url, call(2, "item_list", {}), session);
  expect(await answer.text()).toContain("structuredContent");
});
