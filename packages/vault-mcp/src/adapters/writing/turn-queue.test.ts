import { expect, it } from "vitest";
import { TurnQueue } from "./turn-queue.ts";

const { signal } = new AbortController();

/** Turns that say when they begin and end when they are told. */
function arrange(most = 3) {
  const queue = new TurnQueue(most);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const enter = async (name: string, note?: string, stop = signal) => {
    const end = await queue.enter(stop, note);
    begun.push(name);
    ends.set(name, end);
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await settled();
  };
  return { queue, begun, enter, end };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it("runs turns about different notes at once, as many as it may, and those about one in order", async () => {
  const { begun, enter, end } = arrange();
  for (const [name, note] of [
    ["a1", "a"],
    ["a2", "a"],
    ["b", "b"],
    ["c", "c"],
    ["d", "d"],
    ["a3", "a"],
  ] as const)
    enter(name, note);
  await settled();
  expect(begun).toEqual(["a1", "b", "c"]);
  await end("b");
  expect(begun.slice(3)).toEqual(["d"]);
  await end("a1");
  expect(begun.slice(4)).toEqual(["a2"]);
  await end("a2");
  expect(begun.slice(5)).toEqual(["a3"]);
});

it("runs any other turn alone, after all before it and before all behind it", async () => {
  const { queue, begun, enter, end } = arrange();
  enter("a", "a");
  enter("alone");
  enter("b", "b");
  enter("also alone");
  await settled();
  expect(begun).toEqual(["a"]);
  await end("a");
  expect(begun.slice(1)).toEqual(["alone"]);
  await end("alone");
  expect(begun.slice(2)).toEqual(["b"]);
  await end("b");
  await end("also alone");
  expect([begun.slice(3), queue.isIdle]).toEqual([["also alone"], true]);
});

it("forgets who gives up, lets those behind in, and nobody while it pauses", async () => {
  const { queue, begun, enter, end } = arrange();
  const stop = new AbortController();
  enter("a", "a");
  const given = enter("alone", undefined, stop.signal);
  enter("b", "b");
  stop.abort(new Error("given up"));
  await expect(given).rejects.toThrow("given up");
  expect(begun).toEqual(["a", "b"]);
  queue.pause();
  enter("c", "c");
  await end("a");
  expect(begun).toEqual(["a", "b"]);
  queue.resume();
  await settled();
  expect(begun).toEqual(["a", "b", "c"]);
  await expect(queue.enter(stop.signal, "d")).rejects.toThrow("given up");
});
