import { describe, expect, it } from "vitest";
import type { JsonObject } from "./json.ts";
import { isBundle, okfFacts } from "./okf.ts";

const now = new Date(2031, 1, 3, 12, 0, 0);

describe("okfFacts", () => {
  it.each<[JsonObject, string]>([
    [{}, "stable"],
    [{ status: "  " }, "stable"],
    [{ status: null }, "stable"],
    [{ status: "draft" }, "draft"],
    [{ status: "In review" }, "In review"],
  ])("status of %j", (frontmatter, status) => {
    expect(okfFacts(frontmatter, now).status).toBe(status);
  });

  it.each<[JsonObject["x"], boolean]>([
    ["2031-02-02", true],
    ["2031-02-03", true],
    ["2031-02-04", false],
    [new Date(now.getTime() - 1).toISOString(), true],
    [now.toISOString(), true],
    [new Date(now.getTime() + 1).toISOString(), false],
    ["2020-01-01T00:00:00", false],
    ["2020-01-01 00:00", false],
    ["2020-01-01T00:00:00+14:00", true],
    ["2020-02-30", false],
    ["soon", false],
    [20200101, false],
    [null, false],
    [true, false],
  ])("stale after %j: %s", (staleAfter, stale) => {
    expect(okfFacts({ stale_after: staleAfter as never }, now).stale).toBe(stale);
  });

  it.each<[JsonObject["x"], string]>([
    [[{ by: "human:ann" }], "human-reviewed"],
    [{ by: "human:ann" }, "human-reviewed"],
    [[{ by: "process:x" }, { by: "human:ann" }], "human-reviewed"],
    [[{ by: "process:x" }], "machine-confirmed"],
    [[{}], "machine-confirmed"],
    [{ on: "2031-01-01" }, "machine-confirmed"],
    [["human:ann"], "unverified"],
    ["human:ann", "unverified"],
    [[], "unverified"],
    [null, "unverified"],
  ])("verified %j: %s", (verified, tier) => {
    expect(okfFacts({ verified: verified as never }, now).trustTier).toBe(tier);
  });

  it("keeps the type when it says something", () => {
    expect(okfFacts({ type: " guide " }, now).type).toBe("guide");
    expect(okfFacts({ type: " " }, now)).not.toHaveProperty("type");
    expect(okfFacts({ type: 5 }, now)).not.toHaveProperty("type");
  });
});

it("is a bundle by the root's word, or the operator's", () => {
  expect(isBundle("auto", { okf_version: "0.2" })).toBe(true);
  expect(isBundle("auto", { okf_version: 0.2 })).toBe(true);
  expect(isBundle("auto", { okf_version: "" })).toBe(false);
  expect(isBundle("auto", {})).toBe(false);
  expect(isBundle("auto", undefined)).toBe(false);
  expect(isBundle("on", undefined)).toBe(true);
  expect(isBundle("off", { okf_version: "0.2" })).toBe(false);
});
