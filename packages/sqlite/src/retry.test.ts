import { expect, test } from "vitest";
import { type RetryClock, retryWhileBusy } from "./retry.ts";
import { SqliteError } from "./sqlite-error.ts";

/** A clock that moves when it is waited for. */
function fakeClock(): RetryClock & { readonly waits: number[] } {
  let time = 0;
  const waits: number[] = [];
  return {
    waits,
    now: () => time,
    random: () => 0.5,
    wait: async (milliseconds, signal) => {
      signal?.throwIfAborted();
      waits.push(milliseconds);
      time += milliseconds;
    },
  };
}

const busy = () => new SqliteError("BUSY", "database is locked");

test("goes on until the lock is free, with growing pauses", async () => {
  const clock = fakeClock();
  let left = 4;
  const result = await retryWhileBusy(
    () => {
      if (left-- > 0) throw busy();
      return "done";
    },
    clock,
    undefined,
  );
  expect(result).toBe("done");
  expect(clock.waits).toEqual([1.5, 3, 6, 12]);
});

test("gives up after half a minute, with BUSY", async () => {
  const clock = fakeClock();
  await expect(
    retryWhileBusy(
      () => {
        throw busy();
      },
      clock,
      undefined,
    ),
  ).rejects.toMatchObject({ code: "BUSY" });
  expect(clock.now()).toBeGreaterThanOrEqual(30_000);
  expect(clock.now()).toBeLessThan(30_100);
});

test("stops at once when it is aborted", async () => {
  const controller = new AbortController();
  let attempts = 0;
  const call = retryWhileBusy(
    () => {
      attempts++;
      controller.abort(new Error("no longer wanted"));
      throw busy();
    },
    fakeClock(),
    controller.signal,
  );
  await expect(call).rejects.toThrow("no longer wanted");
  expect(attempts).toBe(1);
});

test("does not repeat what failed for another reason", async () => {
  let attempts = 0;
  const call = retryWhileBusy(
    () => {
      attempts++;
      throw new SqliteError("FULL", "disk is full");
    },
    fakeClock(),
    undefined,
  );
  await expect(call).rejects.toMatchObject({ code: "FULL" });
  expect(attempts).toBe(1);
});
