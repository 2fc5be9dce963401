import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ConnectedServer, connect } from "../src/testing/connect.ts";
import { type RawServer, startRawServer } from "../src/testing/raw-server.ts";
import { buildShelf } from "./shelf/build.ts";

const { bin, dispose } = await buildShelf();
afterAll(dispose);
const start = { bin, args: ["a,b,c"], node: process.execPath };

describe("a session", () => {
  let server: ConnectedServer;
  beforeEach(async () => {
    server = await connect(start);
  });
  afterEach(() => server.close());

  test("tells a tool who calls", async () => {
    const { data } = await server.call("shelf_wait", { milliseconds: 0 });
    expect(data.client).toBe("contract-test 1.0.0");
  });

  test("answers other calls while one is long", async () => {
    const controller = new AbortController();
    const long = server.call("shelf_wait", { milliseconds: 30_000 }, { signal: controller.signal });
    expect((await server.call("item_list")).data.total).toBe(3);
    controller.abort();
    await expect(long).rejects.toThrow(/abort/i);
  });

  test("tells subscribers of changes, and only them", async () => {
    const updated: string[] = [];
    let listChanged = 0;
    server.client.fallbackNotificationHandler = async ({ method, params }) => {
      if (method === "notifications/resources/updated") updated.push(String(params?.uri));
      if (method === "notifications/resources/list_changed") listChanged++;
    };
    await server.call("item_write", { name: "a", text: "1" });
    await server.client.subscribeResource({ uri: "shelf:///a" });
    await server.call("item_write", { name: "a", text: "2" });
    await server.call("item_write", { name: "b", text: "2" });
    await server.client.unsubscribeResource({ uri: "shelf:///a" });
    await server.call("item_write", { name: "a", text: "3" });
    expect(updated).toEqual(["shelf:///a"]);
    expect(listChanged).toBe(3);
  });

  test("tells of a resource by the URI that its subscriber gave, from its coming on", async () => {
    const updated: string[] = [];
    server.client.fallbackNotificationHandler = async ({ method, params }) => {
      if (method === "notifications/resources/updated") updated.push(String(params?.uri));
    };
    await server.client.subscribeResource({ uri: "shelf:///n%65w" });
    await server.call("item_write", { name: "new", text: "1" });
    await server.client.unsubscribeResource({ uri: "shelf:///n%65w" });
    await server.call("item_write", { name: "new", text: "2" });
    expect(updated).toEqual(["shelf:///n%65w"]);
  });

  test("subscribes a session to 10,000 resources, and says so at the next", async () => {
    const subscribe = (number: number) => server.client.subscribeResource({ uri: `shelf:///item-${number}` });
    await Promise.all(Array.from({ length: 10_000 }, (_, number) => subscribe(number)));
    await expect(subscribe(10_000)).rejects.toThrow(/may subscribe to 10000 resources/);
    await subscribe(5);
    await server.client.unsubscribeResource({ uri: "shelf:///item-7" });
    await subscribe(10_000);
  });
});

describe("raw messages", () => {
  let server: RawServer;
  beforeEach(() => {
    server = startRawServer(start);
  });
  afterEach(async () => {
    server.kill("SIGKILL");
    await server.exited;
  });

  test.each([0, 5, "five"])("cancel the request %j, which then gets no answer", async (id) => {
    await server.initialize();
    const call = (how: string, milliseconds: number) => ({
      name: "shelf_wait",
      arguments: { milliseconds, how },
    });
    server.send(JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: call("throw", 30_000) }));
    server.send(
      JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } }),
    );
    // Both calls end in their order, so an answer to the first would have come before that to the second.
    await server.request("tools/call", call("answer", 50));
    expect(server.lines.filter((line) => JSON.parse(line).id === id)).toEqual([]);
    server.endInput();
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });

  test("tell how far a call is, to who asked, before its answer", async () => {
    await server.initialize();
    const call = { name: "shelf_wait", arguments: { milliseconds: 5 } };
    await server.request("tools/call", call);
    await server.request("tools/call", { ...call, _meta: { progressToken: "p" } });
    const messages = server.lines.map((line) => JSON.parse(line));
    const told = messages
      .filter(({ method }) => method === "notifications/progress")
      .map(({ params }) => params);
    expect(told).toEqual([
      { progressToken: "p", progress: 0, total: 5, message: "waiting" },
      { progressToken: "p", progress: 5, total: 5 },
    ]);
    expect(messages.at(-1)).toHaveProperty("result");
  });

  test("page a long list of resources and end without a key nextCursor", async () => {
    server.kill("SIGKILL");
    await server.exited;
    const names = Array.from({ length: 2_500 }, (_, index) => `item-${String(index).padStart(5, "0")}`);
    server = startRawServer({ ...start, args: [names.join(",")] });
    await server.initialize();
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { result } = await server.request("resources/list", cursor === undefined ? {} : { cursor });
      const page = result as { resources: { name: string }[]; nextCursor?: string };
      seen.push(...page.resources.map(({ name }) => name));
      cursor = page.nextCursor;
      expect(Object.hasOwn(page, "nextCursor")).toBe(cursor !== undefined);
    } while (cursor !== undefined);
    expect(seen).toEqual(names);
  });

  test("a failure outside tools tells the client nothing of its inside", async () => {
    await server.initialize();
    const params = { name: "shelf_wait", arguments: { milliseconds: 0, how: "throw" } };
    const { result } = await server.request("tools/call", params);
    expect(JSON.stringify(result)).not.toContain("secret detail");
    expect(server.stderr()).toContain("secret detail");
  });
});
