import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { defaultLimits, defaultRetention } from "../domain/limits.ts";
import { createMemoryStore } from "../testing/memory-store.ts";
import { startMaintenance } from "./start-maintenance.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A store whose passes are counted and can be made to fail. */
function countedStore() {
  const store = createMemoryStore({ limits: defaultLimits, retention: defaultRetention, now: Date.now });
  const state = { passes: 0, failing: false };
  return {
    state,
    store: {
      ...store,
      async maintain() {
        state.passes += 1;
        if (state.failing) throw new Error("disk full");
        await store.maintain();
      },
    },
  };
}

test("begins a minute after the start, goes on every ten, and ends", async () => {
  const { store, state } = countedStore();
  const stop = startMaintenance(store, () => {});
  await vi.advanceTimersByTimeAsync(59_000);
  expect(state.passes).toBe(0);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(state.passes).toBe(1);
  await vi.advanceTimersByTimeAsync(20 * 60_000);
  expect(state.passes).toBe(3);
  stop();
  await vi.advanceTimersByTimeAsync(60 * 60_000);
  expect(state.passes).toBe(3);
});

test("tells of a pass that failed, and tries again", async () => {
  const { store, state } = countedStore();
  const errors: unknown[] = [];
  state.failing = true;
  const stop = startMaintenance(store, (error) => errors.push(error));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(errors).toEqual([new Error("disk full")]);
  state.failing = false;
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(state.passes).toBe(2);
  expect(errors).toHaveLength(1);
  stop();
});
