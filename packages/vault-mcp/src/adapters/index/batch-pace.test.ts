import { expect, it } from "vitest";
import { BatchPace } from "./batch-pace.ts";

it("makes batches smaller until they are quick enough, and larger again, within bounds", () => {
  const pace = new BatchPace();
  for (let round = 0; round < 20; round += 1) pace.took(0);
  expect([pace.documents, pace.characters]).toEqual([200, 400_000]);
  pace.took(90);
  expect([pace.documents, pace.characters]).toEqual([100, 200_000]);
  pace.took(30);
  expect(pace.documents).toBe(100);
  for (let round = 0; round < 20; round += 1) pace.took(1_000);
  expect(pace.documents).toBe(80);
  pace.took(5);
  expect(pace.documents).toBe(160);
});
