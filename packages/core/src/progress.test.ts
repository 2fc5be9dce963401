import { expect, test } from "vitest";
import { type Progress, thinProgress } from "./progress.ts";

test("passes on what rises, a few times a second, and the end always", () => {
  const sent: Progress[] = [];
  let time = 0;
  const report = thinProgress(
    (progress) => sent.push(progress),
    () => time,
  );
  report(0, 10, "begin");
  report(1, 10);
  time = 150;
  report(5, 10);
  report(4, 10);
  time = 160;
  report(10, 10, "done");
  report(10, 10);
  expect(sent).toEqual([
    { progress: 0, total: 10, message: "begin" },
    { progress: 5, total: 10, message: undefined },
    { progress: 10, total: 10, message: "done" },
  ]);
});
