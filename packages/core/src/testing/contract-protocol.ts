import { describe, expect, test } from "vitest";
import { type Subject, type World, withRawServer } from "./subject.ts";

const codeOf = (message: Record<string, unknown>) => (message.error as { code?: number } | undefined)?.code;

/** The handshake and what is no good request. */
export function describeProtocol<W extends World>(subject: Subject<W>): void {
  const { manifest } = subject;

  describe("protocol", () => {
    test.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])("speaks revision %s", (revision) =>
      withRawServer(subject, async (server) => {
        const { result } = await server.initialize(revision);
        expect(result).toMatchObject({
          protocolVersion: revision,
          serverInfo: { name: manifest.name, version: manifest.version, title: expect.any(String) },
          capabilities: { tools: {} },
          instructions: expect.any(String),
        });
        expect((result as { instructions: string }).instructions.length).toBeLessThanOrEqual(2_000);
      }),
    );

    test("offers its newest revision to a client with an unknown one", () =>
      withRawServer(subject, async (server) => {
        expect((await server.initialize("1999-01-01")).result).toMatchObject({
          protocolVersion: "2025-11-25",
        });
      }));

    test("answers bad requests with the protocol's errors and goes on", () =>
      withRawServer(subject, async (server) => {
        expect(codeOf(await server.request("initialize", { protocolVersion: 5 }))).toBe(-32602);
        await server.initialize();
        const [tool] = subject.tools;
        const bad: [string, unknown, number][] = [
          ["tools/call", { name: "no_such_tool", arguments: {} }, -32602],
          ["tools/call", { arguments: {} }, -32602],
          ["tools/call", undefined, -32602],
          ["tools/call", { name: tool?.name, arguments: [] }, -32602],
          ["tools/call", { name: tool?.name, arguments: "{}" }, -32602],
          ["tools/list", { cursor: "x" }, -32602],
          ["no/such/method", {}, -32601],
        ];
        for (const [method, params, code] of bad) {
          expect(codeOf(await server.request(method, params)), JSON.stringify([method, params])).toBe(code);
        }
        const lines: [string, number][] = [
          ["{not json", -32700],
          ["[]", -32600],
          ['{"jsonrpc":"2.0","id":4711,"method":7}', -32600],
        ];
        for (const [line, code] of lines) {
          const before = server.lines.length;
          server.send(line);
          await server.request("ping");
          expect(codeOf(JSON.parse(server.lines[before] ?? "{}")), line).toBe(code);
        }
        server.send("");
        expect((await server.request("ping")).result).toEqual({});
      }));

    test("takes null for no arguments", () =>
      withRawServer(subject, async (server) => {
        await server.initialize();
        const answer = await server.request("tools/call", { name: subject.tools[0]?.name, arguments: null });
        expect(answer.error).toBeUndefined();
      }));

    test("refuses a line of 20 MB by its id and goes on", () =>
      withRawServer(subject, async (server) => {
        await server.initialize();
        const padding = "x".repeat(20_000_000);
        const params = { name: "t", arguments: { padding } };
        server.send(JSON.stringify({ jsonrpc: "2.0", id: "first", method: "tools/call", params }));
        server.send(JSON.stringify({ method: "tools/call", params, jsonrpc: "2.0", id: 77 }));
        expect(codeOf(await server.message(({ id }) => id === "first"))).toBe(-32600);
        expect(codeOf(await server.message(({ id }) => id === 77))).toBe(-32600);
        expect((await server.request("ping")).result).toEqual({});
      }));

    test("lists resources in pages and refuses what is no resource of it", () =>
      withRawServer(subject, async (server) => {
        const { result } = await server.initialize();
        const { capabilities } = result as { capabilities: { resources?: object } };
        if (capabilities.resources === undefined) {
          expect(codeOf(await server.request("resources/list"))).toBe(-32601);
          return;
        }
        const list = (await server.request("resources/list")).result as { resources: { uri: string }[] };
        expect(list).not.toHaveProperty("nextCursor", null);
        const [first] = list.resources;
        const read = (await server.request("resources/read", { uri: first?.uri })).result;
        expect(read).toMatchObject({
          contents: [{ uri: first?.uri, mimeType: expect.stringContaining("/") }],
        });
        expect(codeOf(await server.request("resources/list", { cursor: "garbage" }))).toBe(-32602);
        expect(codeOf(await server.request("resources/read", { uri: "nothing://at/all" }))).toBe(-32002);
        expect(codeOf(await server.request("resources/read", {}))).toBe(-32602);
        expect((await server.request("resources/subscribe", { uri: first?.uri })).result).toEqual({});
        expect((await server.request("resources/unsubscribe", { uri: first?.uri })).result).toEqual({});
        expect(codeOf(await server.request("resources/subscribe", { uri: "nothing://at/all" }))).toBe(-32002);
        expect(codeOf(await server.request("resources/subscribe", {}))).toBe(-32602);
        expect((await server.request("resources/unsubscribe", { uri: "nothing://at/all" })).result).toEqual(
          {},
        );
        expect((await server.request("resources/templates/list")).result).toMatchObject({
          resourceTemplates: [expect.objectContaining({ uriTemplate: expect.any(String) })],
        });
      }));
  });
}
