import { expect, test } from "vitest";
import { parsePlainText, plainClientName } from "./plain-text.ts";

test("takes any script, and no control characters", () => {
  expect(parsePlainText("日本語 – ü", "prefix")).toBe("日本語 – ü");
  for (const text of ["a\u0000", "a\nb", "\u0085"]) {
    expect(() => parsePlainText(text, "prefix")).toThrow(
      expect.objectContaining({
        code: "INVALID_ARGUMENT",
        details: expect.objectContaining({ argument: "prefix" }),
      }),
    );
  }
});

test("makes a client's name fit to be stored", () => {
  expect(plainClientName("evil\u0000\nname 1.0")).toBe("evil  name 1.0");
  expect(plainClientName("x".repeat(500)).length).toBe(200);
});
