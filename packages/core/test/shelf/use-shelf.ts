import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, afterEach } from "vitest";
import { type RawServer, startRawServer } from "../../src/testing/raw-server.ts";
import { buildShelf } from "./build.ts";

/** The built shelf for the tests of a file; what it starts and connects ends with each test. */
export async function useShelf() {
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

  function start(...args: string[]): RawServer {
    const server = startRawServer({ bin, args, node: process.execPath });
    servers.push(server);
    return server;
  }

  return {
    bin,
    folder,
    tokenFile,
    start,

    /** Starts it over HTTP and waits until it says where it listens. */
    async serve(...args: string[]): Promise<{ server: RawServer; url: URL }> {
      const server = start("--http", "0", ...args, "a,b,c,xa,xb");
      const said = await server.saidOnStderr(/serves (http:\S+)/);
      return { server, url: new URL(said[1] ?? "") };
    },

    async connect(url: URL, token?: string): Promise<Client> {
      const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const client = new Client({ name: "http-test", version: "1" });
      clients.push(client);
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
      return client;
    },

    /** Carries out `token …` on the token file and returns what it printed. */
    async runToken(...args: string[]): Promise<string> {
      const command = [bin, "token", ...args, "--tokens", tokenFile];
      const { stdout } = await promisify(execFile)(process.execPath, command);
      return stdout.trim();
    },
  };
}
