import { expect, test } from "vitest";
import { createThrottle } from "./throttle.ts";

/** A throttle on a clock of its own; `enter` tells whether a request may go on. */
function setUp(limits = { requestsPerMinute: 6, concurrent: 2 }) {
  let time = 0;
  const throttle = createThrottle(limits, () => time);
  return {
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    enter: (name: string) => throttle.enter(name),
    call(name: string) {
      const entered = throttle.enter(name);
      if ("leave" in entered) entered.leave();
      return "leave" in entered;
    },
  };
}

test("lets so many requests a minute through, and says when the next one may come", () => {
  const { call, enter, pass } = setUp();
  expect(Array.from({ length: 7 }, () => call("ann"))).toEqual([...Array(6).fill(true), false]);
  expect(enter("ann")).toEqual({ retryAfterSeconds: 10 });
  pass(10_000);
  expect([call("ann"), call("ann")]).toEqual([true, false]);
});

test("lets so many requests run at once, each of which leaves once", () => {
  const { call, enter } = setUp();
  const first = enter("ann");
  enter("ann");
  expect(enter("ann")).toEqual({ retryAfterSeconds: 1 });
  if ("leave" in first) {
    first.leave();
    first.leave();
  }
  expect("leave" in enter("ann")).toBe(true);
  expect(enter("ann")).toEqual({ retryAfterSeconds: 1 });
  expect(call("bob")).toBe(true);
});

test("forgets nobody who has requests to wait for, whoever comes", () => {
  const { call, enter, pass } = setUp();
  for (let turn = 0; turn < 6; turn++) call("ann");
  enter("bob");
  enter("bob");
  pass(9_000);
  for (let count = 0; count < 5_000; count++) call(`other ${count}`);
  expect([call("ann"), call("bob")]).toEqual([false, false]);
});
