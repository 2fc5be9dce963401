import { expect, test } from "vitest";
import { createLog } from "./log.ts";

test("writes one line a message, of its level and above", () => {
  const lines: string[] = [];
  const log = createLog(
    (line) => lines.push(line),
    "warn",
    () => new Date(0),
  );
  log.info("not shown");
  log.warn("slow", { path: "a b\nc", count: 3, host: "tb.local" });
  expect(lines).toEqual(['1970-01-01T00:00:00.000Z warn slow path="a b\\nc" count=3 host=tb.local\n']);
});
