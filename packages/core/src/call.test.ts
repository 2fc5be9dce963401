import { describe, expect, test } from "vitest";
import * as z from "zod";
import { app, newShelf } from "../test/shelf/app.ts";
import { Answer } from "./answer.ts";
import { callTool, registerTool, rememberTools } from "./call.ts";
import { eot } from "./fields.ts";
import { jsonBytes } from "./json.ts";
import { createLog } from "./log.ts";
import { definersFor } from "./tool.ts";

const tool = (name: string) => {
  const found = app.tools.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
};

function environment(logged: string[] = [], cancelled = new AbortController().signal) {
  return {
    deps: newShelf(["a", "b", "c"]),
    failures: app.failures,
    cancelled,
    log: createLog((line) => logged.push(line), "error"),
    budget: 40_000,
    client: "tester 1",
    progress: () => {},
  };
}

const answerWith = (data: unknown) =>
  registerTool(
    definersFor<unknown>().defineTool({
      name: "odd",
      title: "Odd",
      description: "Answers with what it was given.",
      effect: "read",
      input: z.strictObject({}),
      output: z.object({ a: z.int(), when: z.string().optional(), eot }),
      failures: [],
      run: async () => data as { a: number },
    }),
  );

describe("a call", () => {
  test("writes the same data in both halves and adds what goes beside it", async () => {
    const extras = {
      images: [{ mimeType: "image/png", data: Buffer.from("png") }],
      links: [{ uri: "x:///y", name: "y", size: 3 }],
      meta: { index_stale: true },
    };
    expect(await callTool(answerWith(new Answer({ a: 1 }, extras)), {}, environment())).toEqual({
      content: [
        { type: "text", text: '{"a":1,"eot":"·eot"}' },
        { type: "image", data: "cG5n", mimeType: "image/png" },
        { type: "resource_link", uri: "x:///y", name: "y", size: 3 },
      ],
      structuredContent: { a: 1, eot: "·eot" },
      _meta: { index_stale: true },
    });
  });

  test("goes on with what does not fit into one answer, by a cursor of its own", async () => {
    const shelf = { ...environment(), budget: 4_000 };
    const text = "x€\n".repeat(3_000);
    shelf.deps.items.set("long", text);
    const registered = registerTool(tool("item_read"));
    const parts: string[] = [];
    let cursor: unknown;
    for (let turn = 0; cursor !== null; turn++) {
      const args = { name: "long", upper: turn % 2 === 1, ...(cursor !== undefined && { cursor }) };
      const { structuredContent } = await callTool(registered, args, shelf);
      expect(jsonBytes(structuredContent)).toBeLessThanOrEqual(4_000);
      parts.push(String(structuredContent?.text));
      cursor = structuredContent?.next_cursor;
      if (typeof cursor !== "string") continue;
      const foreign = await callTool(registered, { name: "a", cursor }, shelf);
      expect(foreign.content[0]).toMatchObject({ text: expect.stringMatching(/^INVALID_CURSOR: /) });
    }
    expect(parts.length).toBeGreaterThan(4);
    expect(parts.join("").toLowerCase()).toBe(text);
  });

  test("drops keys that the output does not declare", async () => {
    const { structuredContent } = await callTool(answerWith({ a: 1, extra: "x" }), {}, environment());
    expect(structuredContent).toEqual({ a: 1, eot: "·eot" });
  });

  test.each([
    ["an answer of another shape", answerWith({ a: "text" })],
    ["a date where text is declared", answerWith({ a: 1, when: new Date(0) })],
  ])("turns %s into INTERNAL, with the reason in the log alone", async (_what, registered) => {
    const logged: string[] = [];
    const { content, isError, structuredContent } = await callTool(registered, {}, environment(logged));
    expect(isError).toBe(true);
    expect(structuredContent).toBeUndefined();
    expect(content).toEqual([{ type: "text", text: expect.stringMatching(/^INTERNAL: .+\.\nNext: /) }]);
    expect(logged.join("")).toContain("odd failed error=ZodError");
  });

  test("tells nothing of an unexpected error but that it happened", async () => {
    const logged: string[] = [];
    const args = { milliseconds: 0, how: "throw" };
    const result = await callTool(registerTool(tool("shelf_wait")), args, environment(logged));
    expect(JSON.stringify(result)).not.toContain("secret detail");
    expect(logged.join("")).toContain("secret detail");
  });

  test.each(["answer", "hang"])("ends when its time is over, though it would %s", async (how) => {
    const args = { milliseconds: 3_000, time_limit: 20, how };
    const { content } = await callTool(registerTool(tool("shelf_wait")), args, environment());
    expect(content[0]).toEqual({
      type: "text",
      text: expect.stringMatching(/^TIMED_OUT: .+\nNext: Try again/),
    });
  });

  test.each(["answer", "hang"])("ends when it is cancelled, though it would %s", async (how) => {
    const controller = new AbortController();
    const args = { milliseconds: 3_000, how };
    const running = callTool(registerTool(tool("shelf_wait")), args, environment([], controller.signal));
    controller.abort();
    expect((await running).content[0]).toMatchObject({ text: expect.stringMatching(/^CANCELLED: /) });
  });

  test("does not begin when it was cancelled before", async () => {
    const shelf = environment([], AbortSignal.abort());
    const args = { milliseconds: 3_000 };
    expect(await callTool(registerTool(tool("shelf_wait")), args, shelf)).toMatchObject({ isError: true });
  });
});

test("a server makes the schemas of a tool once", () => {
  const register = rememberTools();
  expect(register(tool("item_read"))).toBe(register(tool("item_read")));
  expect(register(tool("item_read"))).toEqual(registerTool(tool("item_read")));
  expect(register(tool("shelf_wait"))).not.toBe(register(tool("item_read")));
});
