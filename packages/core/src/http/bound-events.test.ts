import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { boundEvents } from "./bound-events.ts";

/** A source of events of 100 bytes each, which tells whether it was cancelled. */
function source() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let cancelled: unknown;
  const events = new ReadableStream<Uint8Array>({
    start: (own) => {
      controller = own;
    },
    cancel: (reason) => {
      cancelled = reason;
    },
  });
  return {
    events,
    send: (count: number) => {
      for (let sent = 0; sent < count; sent++) controller?.enqueue(new Uint8Array(100));
    },
    end: () => controller?.close(),
    cancelled: () => cancelled,
  };
}

test("passes all events to a reader, however many", async () => {
  const { events, send, end } = source();
  const reader = boundEvents(events, 1_000).getReader();
  let bytes = 0;
  for (let round = 0; round < 50; round++) {
    send(10);
    for (let taken = 0; taken < 10; taken++) bytes += (await reader.read()).value?.byteLength ?? 0;
  }
  end();
  expect([bytes, (await reader.read()).done]).toEqual([50_000, true]);
});

test("ends where nobody reads, and tells the source", async () => {
  const { events, send, cancelled } = source();
  const bound = boundEvents(events, 1_000);
  send(10);
  for (let turns = 0; turns < 20; turns++) await turn();
  expect(cancelled()).toBeUndefined();
  send(1);
  await expect.poll(cancelled).toBeInstanceOf(Error);
  await expect(bound.getReader().read()).rejects.toThrow(/1100 bytes of events were not read/);
});

test("ends its source when its reader does", async () => {
  const { events, cancelled } = source();
  await boundEvents(events, 1_000).cancel("gone");
  expect(cancelled()).toBe("gone");
});
