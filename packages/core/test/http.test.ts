import { execFile } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, connect as connectSocket } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { type RawServer, startRawServer } from "../src/testing/raw-server.ts";
import { buildShelf } from "./shelf/build.ts";
import { handshake, post, serveShelf } from "./shelf/serve.ts";

const { bin, dispose } = await buildShelf();
const folder = await mkdtemp(join(tmpdir(), "shelf-http-"));
const tokenFile = join(folder, "tokens.json");
const servers: RawServer[] = [];
const clients: Client[] = [];

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  for (const server of servers.splice(0)) {
    server.kill("SIGKILL");
    await server.exited;
  }
  await rm(tokenFile, { force: true });
});
afterAll(async () => {
  await dispose();
  await rm(folder, { recursive: true, force: true });
});

/** Starts the shelf over HTTP; it ends with the test. */
async function serve(...args: string[]): Promise<{ server: RawServer; url: URL }> {
  const served = await serveShelf(bin, ...args);
  servers.push(served.server);
  return served;
}

async function connect(url: URL, token?: string): Promise<Client> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const client = new Client({ name: "http-test", version: "1" });
  clients.push(client);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return client;
}

async function runToken(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    bin,
    "token",
    ...args,
    "--tokens",
    tokenFile,
  ]);
  return stdout.trim();
}

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
    const stdio = startRawServer({ bin, args: ["a,b,c,xa,xb"], node: process.execPath });
    servers.push(stdio);
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
    const empty = startRawServer({ bin, args: ["--http", "0"], node: process.execPath });
    servers.push(empty);
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
    const server = startRawServer({ bin, args, node: process.execPath });
    expect(await server.exited).toEqual({ code: 2, signal: null });
    expect(server.stderr()).toMatch(says);
    expect(server.stderr().split("\n")).toHaveLength(2);
  });

  test("does not start on a port that is taken", async () => {
    const { url } = await serve();
    const second = startRawServer({ bin, args: ["--http", url.port], node: process.execPath });
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

describe("tokens", () => {
  test("are shown once and kept as hashes, for their owner alone", async () => {
    const token = await runToken(
      "add",
      "ann",
      "--read-only",
      "--expires",
      "2099-01-01",
      "--scope",
      "prefixes=x",
    );
    expect(token).toMatch(/^[0-9a-f]{12}_[A-Za-z0-9_-]{43}$/);
    expect(await readFile(tokenFile, "utf8")).not.toContain(token.slice(13));
    expect((await stat(tokenFile)).mode & 0o777).toBe(0o600);
    expect(await runToken("list")).toMatch(/ann {2}read-only {2}\{"prefixes":\["x"\]\} {2}2099-01-01/);
    await expect(runToken("add", "ann")).rejects.toThrow(/exists/);
    await expect(runToken("add", "bob", "--scope", "folders=x")).rejects.toThrow(
      /--scope must be NAME=VALUE/,
    );
    await expect(runToken("remove", "bob")).rejects.toThrow(/no token "bob"/);
    for (const date of ["tomorrow", "2020-01-01"])
      await expect(runToken("add", "bob", "--expires", date)).rejects.toThrow(/must be a date in the future/);
  });

  test("stay their server's, also where root changes them", async () => {
    // The tests may be root or not; whose the folder is, the file is.
    const nobody = 65_534;
    const { uid } = userInfo();
    const owner = uid === 0 ? nobody : uid;
    const own = await mkdtemp(join(folder, "own-"));
    await chown(own, owner, -1);
    const file = join(own, "tokens.json");
    const add = (name: string) =>
      promisify(execFile)(process.execPath, [bin, "token", "add", name, "--tokens", file]);
    await add("ann");
    expect((await stat(file)).uid).toBe(owner);
    await chown(own, uid, -1);
    await add("bob");
    expect((await stat(file)).uid).toBe(owner);
  });

  describe("decide", () => {
    let ann = "";
    let bob = "";
    beforeEach(async () => {
      ann = await runToken("add", "ann");
      bob = await runToken("add", "bob", "--read-only", "--scope", "prefixes=x");
    });

    test("who may call at all", async () => {
      const { url } = await serve("--tokens", tokenFile);
      const refused = await post(url, handshake);
      expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
      for (const wrong of ["x", `${ann}x`, ann.slice(0, -1), `${bob.slice(0, 13)}${ann.slice(13)}`]) {
        expect((await post(url, handshake, { authorization: `Bearer ${wrong}` })).status, wrong).toBe(401);
      }
      expect((await post(url, handshake, { authorization: `Bearer ${ann}` })).status).toBe(200);
      await runToken("remove", "ann");
      expect((await post(url, handshake, { authorization: `Bearer ${ann}` })).status).toBe(401);
    });

    test("until when", async () => {
      const tokens = JSON.parse(await readFile(tokenFile, "utf8"));
      tokens.tokens[0].expires = "2020-01-01T00:00:00Z";
      await writeFile(tokenFile, JSON.stringify(tokens));
      const { url } = await serve("--tokens", tokenFile);
      expect((await post(url, handshake, { authorization: `Bearer ${ann}` })).status).toBe(401);
      expect((await post(url, handshake, { authorization: `Bearer ${bob}` })).status).toBe(200);
    });

    test("which tools and which items", async () => {
      const { url } = await serve("--tokens", tokenFile);
      const all = await connect(url, ann);
      const some = await connect(url, bob);
      expect((await all.listTools()).tools.map(({ name }) => name)).toContain("item_write");
      expect((await some.listTools()).tools.map(({ name }) => name)).not.toContain("item_write");
      await expect(some.callTool({ name: "item_write", arguments: { name: "x", text: "" } })).rejects.toThrow(
        /Unknown tool/,
      );
      expect((await some.callTool({ name: "item_list" })).structuredContent).toMatchObject({ total: 2 });
      expect((await some.callTool({ name: "item_read", arguments: { name: "a" } })).isError).toBe(true);
      expect((await some.listResources()).resources.map(({ name }) => name)).toEqual(["xa", "xb"]);
      await expect(some.readResource({ uri: "shelf:///a" })).rejects.toThrow(/not found/);
      // What lies outside of the scope is told apart neither from what is not there nor from what is none of ours.
      const refusals = ["shelf:///a", "shelf:///none", "file:///etc/passwd"].map((uri) =>
        some.subscribeResource({ uri }).then(
          () => "subscribed",
          ({ code, message }) => [code, message],
        ),
      );
      expect(await Promise.all(refusals)).toEqual(
        Array(3).fill([-32002, expect.stringMatching(/not found$/)]),
      );
      await some.subscribeResource({ uri: "shelf:///xa" });
      await some.unsubscribeResource({ uri: "shelf:///a" });
    });

    test("which session is whose", async () => {
      const { url } = await serve("--tokens", tokenFile);
      const begun = await post(url, handshake, { authorization: `Bearer ${ann}` });
      const session = begun.headers.get("mcp-session-id") ?? "";
      const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
      const asked = (token: string) =>
        post(url, list, { authorization: `Bearer ${token}`, "mcp-session-id": session });
      expect((await asked(ann)).status).toBe(200);
      expect((await asked(bob)).status).toBe(404);
    });

    test("how often each may call, without hurting the others", async () => {
      const { url } = await serve("--tokens", tokenFile, "--requests-per-minute", "5");
      const statuses: number[] = [];
      let last: Response | undefined;
      for (let turn = 0; turn < 8; turn++) {
        last = await post(url, handshake, { authorization: `Bearer ${ann}` });
        statuses.push(last.status);
      }
      expect(statuses.slice(0, 5)).toEqual([200, 200, 200, 200, 200]);
      expect(last?.status).toBe(429);
      expect(Number(last?.headers.get("retry-after"))).toBeGreaterThan(0);
      expect((await post(url, handshake, { authorization: `Bearer ${bob}` })).status).toBe(200);
    });
  });
});

describe("JWTs", () => {
  test("are taken from the issuer, for this server, in time, with the rights that their scopes name", async () => {
    const { publicKey, privateKey } = await generateKeyPair("RS256");
    const other = await generateKeyPair("RS256");
    const jwk = { ...(await exportJWK(publicKey)), kid: "k", alg: "RS256" };
    const provider = createServer((request, response) => {
      response.setHeader("content-type", "application/json");
      if (request.url === "/.well-known/oauth-authorization-server")
        response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }));
      else if (request.url === "/keys") response.end(JSON.stringify({ keys: [jwk] }));
      else response.writeHead(404).end();
    });
    provider.listen(0, "127.0.0.1");
    await once(provider, "listening");
    const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    const { url } = await serve("--oauth-issuer", issuer, "--oauth-audience", "shelf");
    const sign = (claims: {
      aud?: string;
      iss?: string;
      exp?: string;
      scope?: string;
      key?: typeof privateKey;
    }) =>
      new SignJWT({ scope: claims.scope ?? "prefixes:x" })
        .setProtectedHeader({ alg: "RS256", kid: "k" })
        .setSubject("ann")
        .setIssuer(claims.iss ?? issuer)
        .setAudience(claims.aud ?? "shelf")
        .setExpirationTime(claims.exp ?? "5m")
        .sign(claims.key ?? privateKey);
    const refused = await post(url, handshake);
    expect(refused.headers.get("www-authenticate")).toMatch(
      /resource_metadata="http:.+\/\.well-known\/oauth-protected-resource"/,
    );
    expect(await (await fetch(new URL("/.well-known/oauth-protected-resource", url))).json()).toMatchObject({
      authorization_servers: [issuer],
    });
    for (const bad of [
      { aud: "other" },
      { iss: "http://evil.example" },
      { exp: "-1m" },
      { key: other.privateKey },
    ]) {
      const token = await sign(bad);
      expect(
        (await post(url, handshake, { authorization: `Bearer ${token}` })).status,
        JSON.stringify(bad),
      ).toBe(401);
    }
    const reader = await connect(url, await sign({}));
    expect((await reader.callTool({ name: "item_list" })).structuredContent).toMatchObject({ total: 2 });
    await expect(reader.callTool({ name: "item_write", arguments: { name: "x", text: "" } })).rejects.toThrow(
      /Unknown tool/,
    );
    const writer = await connect(url, await sign({ scope: "all write" }));
    expect((await writer.callTool({ name: "item_list" })).structuredContent).toMatchObject({ total: 5 });
    const nothing = await connect(url, await sign({ scope: "openid" }));
    expect((await nothing.callTool({ name: "item_list" })).structuredContent).toMatchObject({ total: 0 });
    provider.close();
    provider.closeAllConnections();
  });
});
