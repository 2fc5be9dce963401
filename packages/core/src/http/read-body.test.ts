import fc from "fast-check";
import { expect, test } from "vitest";
import { LargeMessages } from "../large-messages.ts";
import { readBody } from "./read-body.ts";

/** A request whose body comes in these pieces, and then breaks off where it does. */
function requestOf(pieces: readonly Uint8Array[], breaksOff = false): Request {
  const rest = [...pieces];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = rest.shift();
      if (next !== undefined) controller.enqueue(next);
      else if (breaksOff) controller.error(new Error("gone"));
      else controller.close();
    },
  });
  return new Request("http://localhost", { method: "POST", body, duplex: "half" } as RequestInit);
}

const read = (request: Request, maxBytes = 1_000) => readBody(request, maxBytes, new LargeMessages());

test("puts a body together however it is cut, also inside a character", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 9 }), async (text, size) => {
      const bytes = Buffer.from(text);
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      expect(await read(requestOf(pieces), bytes.length)).toBe(text);
    }),
  );
});

test("refuses what is too long, announced or not, and tells what breaks off", async () => {
  const announced = { "content-length": "1001" };
  expect(await read(new Request("http://localhost", { method: "POST", headers: announced }))).toBeUndefined();
  expect(await read(requestOf([Buffer.alloc(1_000), Buffer.alloc(1)]))).toBeUndefined();
  expect(await read(new Request("http://localhost", { method: "POST" }))).toBe("");
  await expect(read(requestOf([Buffer.alloc(9)], true))).rejects.toThrow("gone");
});
