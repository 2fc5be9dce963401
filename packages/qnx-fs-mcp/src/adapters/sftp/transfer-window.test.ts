import { describe, expect, test } from "vitest";
import { TransferWindow } from "./transfer-window.ts";

const { signal } = new AbortController();
const piece = 32 * 1024;

/** Fills the window over and over on a line of so many bytes a millisecond, for so many milliseconds. */
function carry(window: TransferWindow, clock: { now: number }, bytesAMs: number, ms: number): void {
  let underWay = 0;
  for (const end = clock.now + ms; clock.now < end; ) {
    while (window.tryTake(piece)) underWay++;
    clock.now += piece / bytesAMs;
    window.give(piece);
    underWay--;
  }
  for (; underWay > 0; underWay--) window.give(piece);
}

function makeWindow() {
  const clock = { now: 0, freed: 0 };
  return {
    clock,
    window: new TransferWindow(
      () => clock.now,
      () => {
        clock.freed++;
      },
    ),
  };
}

test("buffers are freed every 4 MiB", () => {
  const { clock, window } = makeWindow();
  for (let pieces = 0; pieces < 1_000; pieces++) {
    expect(window.tryTake(piece)).toBe(true);
    window.give(piece);
  }
  expect(clock.freed).toBe(Math.floor((1_000 * piece) / (4 * 2 ** 20)));
});

describe("the bytes under way", () => {
  test("are 256 KiB at first, and at least one piece", () => {
    const { window } = makeWindow();
    let taken = 0;
    while (window.tryTake(piece)) taken += piece;
    expect(taken).toBe(256 * 1024);
    const { window: other } = makeWindow();
    expect(other.tryTake(100 * 2 ** 20)).toBe(true);
    expect(other.tryTake(1)).toBe(false);
  });

  test.each([
    ["a slow line", 100, 256 * 1024, 256 * 1024],
    ["one of 100 Mbit/s", 12_500, 3_300_000, 4_200_000],
    ["a fast line", 200_000, 8 * 2 ** 20, 8 * 2 ** 20],
  ])("are about 300 ms of %s, from 256 KiB to 8 MiB", (_, bytesAMs, least, most) => {
    const { clock, window } = makeWindow();
    carry(window, clock, bytesAMs, 3_000);
    expect(window.limit).toBeGreaterThanOrEqual(least);
    expect(window.limit).toBeLessThanOrEqual(most);
  });

  test("fill a line with a long way after two round trips", () => {
    const { clock, window } = makeWindow();
    for (let trip = 0; trip < 2; trip++) {
      let taken = 0;
      while (window.tryTake(piece)) taken++;
      clock.now += 50;
      for (; taken > 0; taken--) window.give(piece);
    }
    expect(window.limit).toBe(8 * 2 ** 20);
  });

  test("are cut into requests of 32 to 128 KiB, several in a window", () => {
    const { clock, window } = makeWindow();
    expect(window.pieceBytes(Number.POSITIVE_INFINITY)).toBe(32 * 1024);
    carry(window, clock, 200_000, 3_000);
    expect(window.pieceBytes(Number.POSITIVE_INFINITY)).toBe(128 * 1024);
    expect(window.pieceBytes(100_000)).toBe(64 * 1024);
    expect(window.pieceBytes(32 * 1024)).toBe(32 * 1024);
  });

  test("shrink when the line does, but not while nothing is sent", () => {
    const { clock, window } = makeWindow();
    carry(window, clock, 12_500, 3_000);
    const full = window.limit;
    clock.now += 60_000;
    carry(window, clock, 12_500, 300);
    expect(window.limit).toBeGreaterThan(full * 0.8);
    carry(window, clock, 1_000, 5_000);
    expect(window.limit).toBeLessThan(full / 5);
  });

  test("are given in turn, and not to who gave up waiting", async () => {
    const { window } = makeWindow();
    while (window.tryTake(piece));
    const order: string[] = [];
    const gaveUp = new AbortController();
    const late = window.take(piece, gaveUp.signal).catch(() => order.push("gave up"));
    const first = window.take(piece, signal).then(() => order.push("first"));
    const second = window.take(piece, signal).then(() => order.push("second"));
    gaveUp.abort();
    await late;
    window.give(piece);
    await first;
    expect(window.tryTake(piece)).toBe(false);
    window.give(piece);
    await second;
    expect(order).toEqual(["gave up", "first", "second"]);
  });
});
