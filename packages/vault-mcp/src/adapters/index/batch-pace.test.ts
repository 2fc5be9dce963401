import { expect, it } from "vitest";
import { BatchPace } from "./batch-pace.ts";

it("makes batches smaller until they are quick enough, and larger again, within bounds", () => {
  const pace = new BatchPace();
  const begun = pace.documents;
  pace.took(90);
  expect(pace.documents).toBe(begun / 2);
  expect(pace.characters).toBe(begun * 1_000);
  pace.took(30);
  expect(pace.documents).toBe(begun / 2);
  pace.took(5);
  expect(pace.documents).toBe(begun);
  for (let round = 0; round < 20; round += 1) pace.took(1_000);
  expect(pace.documents).toBe(1);
  for (let round = 0; round < 20; round += 1) pace.took(0);
  expect(pace.documents).toBe(200);
});
