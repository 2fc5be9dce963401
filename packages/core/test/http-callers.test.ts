import { execFile } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { handshake, post } from "./shelf/post.ts";
import { useShelf } from "./shelf/use-shelf.ts";

const { bin, folder, serve, connect, runToken, tokenFile } = await useShelf();

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
      expect((await post(url, handshake, { authorization: `Bearer ${bob}` })).status).toBe(200);
      await rm(tokenFile);
      expect((await post(url, handshake, { authorization: `Bearer ${bob}` })).status).toBe(401);
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
    const metadata = new URL("/.well-known/oauth-protected-resource", url).href;
    expect(refused.headers.get("www-authenticate")).toBe(`Bearer resource_metadata="${metadata}"`);
    expect(await (await fetch(metadata)).json()).toMatchObject({
      resource: url.href,
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
