import { expect, test } from "vitest";
import { parseTime } from "./parse-time.ts";

test.each([
  ["2026-11-30", Date.UTC(2026, 10, 30)],
  ["2026-11-30T08:00:00Z", Date.UTC(2026, 10, 30, 8)],
  ["2026-11-30T08:00", Date.UTC(2026, 10, 30, 8)],
  ["2026-11-30 08:00:30", Date.UTC(2026, 10, 30, 8, 0, 30)],
  ["2026-11-30T08:00:00+02:00", Date.UTC(2026, 10, 30, 6)],
])("%s is read as UTC unless it says otherwise", (text, ms) => {
  expect(parseTime("newer_than", text)).toBe(ms / 1000);
});

test.each(["yesterday", "2026-13-01", "1700000000", "", "2026-11-30T25:00:00Z"])("%j is refused", (text) => {
  expect(() => parseTime("newer_than", text)).toThrow(
    expect.objectContaining({
      code: "INVALID_ARGUMENT",
      details: expect.objectContaining({ argument: "newer_than" }),
    }),
  );
});

test("nothing stays nothing", () => {
  expect(parseTime("newer_than", undefined)).toBeUndefined();
});
