import { describe, expect, test } from "vitest";
import { describeContent } from "../../src/domain/content.ts";
import type { StoreSubject } from "./store-subject.ts";

/** What a store says of itself as a whole. */
export function describeTotals(s: StoreSubject): void {
  describe("the whole store", () => {
    test("is summed up, and found sound", async () => {
      expect(await s.store.totals()).toEqual({
        ...{ apps: 0, files: 0, bytes: 0, historyBytes: 0, physicalBytes: 0, uploads: 0 },
      });
      await s.put("a", "1".repeat(50_000));
      await s.put("b", "1".repeat(50_000));
      await s.put("b", "22");
      await s.put("c", "22", { app: "other" });
      await s.remove("a");
      const { id } = await s.store.uploads.begin("notes", 9);
      const bytes = Buffer.from("333");
      await s.store.uploads.put(id, { seq: 0, bytes, facts: describeContent(bytes) });
      expect(await s.store.totals()).toEqual({
        ...{ apps: 2, files: 2, bytes: 4, historyBytes: 100_000, physicalBytes: 50_005, uploads: 1 },
      });
      expect(await s.store.check()).toEqual({
        ...{ contents: 3, bytes: 50_005, damaged: [], damagedChunks: [], database: [], repaired: [] },
      });
    });
  });
}
