import { expect, test } from "vitest";
import { formatDateTime, parseDateTime } from "./date-time.ts";

test.each([
  ["2031-02-03T04:05:06Z", "2031-02-03T04:05:06.000Z"],
  ["2031-02-03t04:05:06.789z", "2031-02-03T04:05:06.789Z"],
  ["2031-02-03T04:05+01:00", "2031-02-03T03:05:00.000Z"],
  ["2031-02-03 23:30:00-01:00", "2031-02-04T00:30:00.000Z"],
  ["2032-02-29T00:00:00Z", "2032-02-29T00:00:00.000Z"],
])("reads %s", (text, expected) => {
  expect(formatDateTime(parseDateTime(text) ?? 0)).toBe(expected);
});

test.each([
  "2031-02-03",
  "2031-02-03T04:05:06",
  "2031-02-30T00:00:00Z",
  "2031-13-01T00:00:00Z",
  "yesterday",
  "",
  "1930000000",
])("does not guess what %j means", (text) => {
  expect(parseDateTime(text)).toBeUndefined();
});
