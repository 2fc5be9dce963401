import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { request } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * What clients do through a proxy, and what must come of it.
 *
 * @typedef {{ host: string, port: number, ca: Buffer, token: string }} Through
 * @param {Through} through
 * @returns {{ what: string, check: () => Promise<void> }[]}
 */
export function proxyWalk(through) {
  /** @type {Record<string, string>} */
  let session = {};
  const bytes = randomBytes(20 * 1024 * 1024);
  const subscribed = "app-files://notes/told.txt";
  const mcp = (/** @type {string} */ method, /** @type {object} */ params) =>
    ask(through, "POST", "/mcp", { headers: session, body: message(method, params) });
  const tool = (/** @type {string} */ name, /** @type {object} */ args) =>
    mcp("tools/call", { name, arguments: args });
  const initialize = (/** @type {Record<string, string>} */ headers) => {
    const clientInfo = { name: "proxy-walk", version: "0" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    return ask(through, "POST", "/mcp", { headers, body: message("initialize", params) });
  };

  return [
    {
      what: "is healthy, and shows nothing that is for operators",
      async check() {
        assert.equal((await ask(through, "GET", "/healthz")).status, 200);
        for (const place of ["/metrics", "/readyz", "/", "/other"]) {
          assert.equal((await ask(through, "GET", place)).status, 404, place);
        }
      },
    },
    {
      what: "serves who has a token, under its own name, and pages of no other site",
      async check() {
        assert.equal((await initialize({ authorization: "" })).status, 401);
        assert.equal((await initialize({ origin: "https://evil.example" })).status, 403);
        const begun = await initialize({ origin: `https://${through.host}` });
        assert.equal(begun.status, 200);
        session = { "mcp-session-id": String(begun.headers["mcp-session-id"]) };
        assert.match((await mcp("tools/list", {})).text, /file_read/);
      },
    },
    {
      what: "passes events on while the stream is open",
      async check() {
        assert.equal((await mcp("resources/subscribe", { uri: subscribed })).status, 200);
        const stream = await send(through, "GET", "/mcp", { headers: session });
        const told = new Promise((resolve, reject) => {
          let text = "";
          stream.setEncoding("utf8").on("data", (part) => {
            text += part;
            if (text.includes(subscribed)) resolve(undefined);
          });
          stream.on("error", reject).on("end", () => reject(new Error("the stream ended")));
        });
        // Once may come before the server watches its store: what is tried here is the proxy.
        let isTold = false;
        for (let turn = 0; turn < 20 && !isTold; turn++) {
          await tool("file_write", { app: "notes", path: "told.txt", text: `new ${turn}` });
          isTold = await Promise.race([told.then(() => true), sleep(1_000, false)]);
        }
        assert.ok(isTold, "nothing was told");
        stream.destroy();
      },
    },
    {
      what: "takes messages up to 16 MiB",
      async check() {
        const large = await tool("file_write", { app: "notes", path: "l", padding: "x".repeat(16_500_000) });
        assert.deepEqual([large.status, large.text.includes("INVALID_ARGUMENT")], [200, true]);
        const tooLarge = await tool("file_write", { padding: "x".repeat(17_000_000) }).catch(() => undefined);
        // A proxy may cut the connection before the client has read the answer.
        assert.ok(tooLarge === undefined || tooLarge.status === 413, `status ${tooLarge?.status}`);
        assert.equal((await mcp("tools/list", {})).status, 200);
      },
    },
    {
      what: "passes files of any size both ways, whole and in parts",
      async check() {
        const stored = await ask(through, "PUT", "/files/notes/large.bin", { body: bytes });
        assert.equal(stored.status, 201);
        const whole = await ask(through, "GET", "/files/notes/large.bin");
        assert.ok(whole.bytes.equals(bytes));
        const range = { headers: { range: "bytes=10000000-10000099" } };
        const part = await ask(through, "GET", "/files/notes/large.bin", range);
        assert.equal(part.status, 206);
        assert.ok(part.bytes.equals(bytes.subarray(10_000_000, 10_000_100)));
        assert.equal((await ask(through, "GET", "/files/notes/../../metrics")).status, 404);
      },
    },
    {
      what: "hands out a file by a link, once, to who has no token",
      async check() {
        const { text } = await tool("file_read", { app: "notes", path: "large.bin", link: true });
        const link = new URL(/"link":"([^"]+)"/.exec(text.replaceAll("\\", ""))?.[1] ?? "");
        assert.equal(link.host, through.host);
        const fetched = () => ask(through, "GET", link.pathname, { headers: { authorization: "" } });
        assert.ok((await fetched()).bytes.equals(bytes));
        assert.equal((await fetched()).status, 404);
      },
    },
    {
      what: "serves others while clients send slowly or read nothing",
      async check() {
        const slow = Array.from({ length: 8 }, () => {
          const sent = open(through, "PUT", "/files/notes/slow.bin", { "content-length": "1000000" });
          sent.on("error", () => {}).write("x");
          return sent;
        });
        const deaf = await send(through, "GET", "/files/notes/large.bin");
        deaf.pause();
        for (let turn = 0; turn < 20; turn++)
          assert.equal((await tool("file_list", { app: "notes" })).status, 200);
        for (const sent of slow) sent.destroy();
        deaf.destroy();
        assert.doesNotMatch((await tool("file_list", { app: "notes" })).text, /slow\.bin/);
      },
    },
  ];
}

/** @param {string} method @param {object} params */
function message(method, params) {
  return Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
}

/** @param {Through} through @param {string} method @param {string} place @param {Record<string, string>} headers */
function open({ host, port, ca, token }, method, place, headers) {
  return request({
    host: "127.0.0.1",
    servername: host,
    port,
    ca,
    method,
    path: place,
    agent: false,
    headers: {
      host,
      authorization: `Bearer ${token}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...headers,
    },
  });
}

/** @typedef {{ headers?: Record<string, string>, body?: Buffer }} Sent */

/** @param {Through} through @param {string} method @param {string} place @param {Sent} [sent] */
async function send(through, method, place, { headers = {}, body } = {}) {
  const sending = open(through, method, place, {
    ...(body !== undefined && { "content-length": String(body.length) }),
    ...headers,
  });
  // Once there is a response, a body that is cut off is no fault: `once` tells of those before.
  sending.on("error", () => {});
  sending.end(body);
  /** @type {[import("node:http").IncomingMessage]} */
  const [response] = /** @type {any} */ (await once(sending, "response"));
  return response;
}

/** @param {Through} through @param {string} method @param {string} place @param {Sent} [sent] */
async function ask(through, method, place, sent) {
  const response = await send(through, method, place, sent);
  const bytes = Buffer.concat(await response.toArray());
  return { status: response.statusCode, headers: response.headers, bytes, text: bytes.toString() };
}
