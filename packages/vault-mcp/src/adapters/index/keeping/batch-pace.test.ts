import { expect, it } from "vitest";
import { BatchPace } from "./batch-pace.ts";

it("makes batches smaller where they take long and larger where they do not, within bounds", () => {
  const pace = new BatchPace();
  for (let round = 0; round < 20; round += 1) pace.took(0);
  expect([pace.documents, pace.characters]).toEqual([400, 800_000]);
  pace.took(60);
  expect([pace.documents, pace.characters]).toEqual([200, 400_000]);
  pace.took(30);
  expect(pace.documents).toBe(200);
  for (let round = 0; round < 20; round += 1) pace.took(1_000);
  expect(pace.documents).toBe(80);
  pace.took(24);
  expect(pace.documents).toBe(100);
});
