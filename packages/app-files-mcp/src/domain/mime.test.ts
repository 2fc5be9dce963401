import { describe, expect, test } from "vitest";
import { detectMime, parseMime, parseMimeFilter } from "./mime.ts";

test.each(["text/csv", "image/svg+xml", "application/vnd.api+json", "application/x-7z-compressed"])(
  "takes %s",
  (mime) => {
    expect(parseMime(mime)).toBe(mime);
  },
);

test("keeps types in lower case", () => {
  expect(parseMime("Image/PNG")).toBe("image/png");
});

test.each([
  "",
  "text",
  "text/",
  "/plain",
  "text/plain; charset=utf-8",
  "text/plain\n",
  "text/pl\nain",
  'image/png\n{"path":"forged"}',
  "text/plain/x",
  "a b/c",
  "image/*",
  `text/${"x".repeat(200)}`,
])("refuses %j", (mime) => {
  expect(() => parseMime(mime)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
});

test("reads filters", () => {
  expect(parseMimeFilter("image/PNG")).toEqual({ exact: "image/png" });
  expect(parseMimeFilter("image/*")).toEqual({ prefix: "image/" });
  for (const wrong of ["*/*", "image", "*", "image/p*"]) {
    expect(() => parseMimeFilter(wrong)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  }
});

describe("detection", () => {
  const detector = (byBytes: string | undefined, byName: string | undefined) => ({
    fromBytes: async () => byBytes,
    fromName: () => byName,
  });
  const bytes = Buffer.from("BM is how this text begins");

  test.each([
    ["by its bytes, whatever the extension", "image/png", "text/plain", false, "image/png"],
    ["else by its extension", undefined, "text/csv", false, "text/csv"],
    ["else not at all", undefined, undefined, false, "application/octet-stream"],
    ["text never by a binary format's short signature", "image/bmp", "text/plain", true, "text/plain"],
    ["text by a format that is text", "application/rtf", undefined, true, "application/rtf"],
    ["XML by what its extension knows of it", "application/xml", "image/svg+xml", true, "image/svg+xml"],
    [
      "XML as XML where the extension knows nothing",
      "application/xml",
      "text/plain",
      true,
      "application/xml",
    ],
  ])("%s", async (_, byBytes, byName, isText, expected) => {
    expect(await detectMime(detector(byBytes, byName), "f", bytes, isText)).toBe(expected);
  });
});
