import { expect, test } from "vitest";
import { createMimeDetector } from "./mime-detector.ts";

const detector = createMimeDetector();

test.each([
  ["image/png", "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"],
  ["application/pdf", "255044462d312e370a"],
  ["image/gif", "474946383961010001"],
])("knows %s by its bytes", async (mime, hex) => {
  expect(await detector.fromBytes(Buffer.from(hex, "hex"))).toBe(mime);
});

test.each(["", "00", "89504e47", "504b0304", "1f8b"])(
  "says nothing wrong of bytes that break off: %s",
  async (hex) => {
    expect([undefined, "application/zip", "application/gzip"]).toContain(
      await detector.fromBytes(Buffer.from(hex, "hex")),
    );
  },
);

test.each([
  ["a/b.csv", "text/csv"],
  ["A.PDF", "application/pdf"],
  ["notes.md", "text/markdown"],
  ["picture.svg", "image/svg+xml"],
  ["folder.csv/name", undefined],
  ["README", undefined],
  [".env", undefined],
])("knows %s by its name", (path, mime) => {
  expect(detector.fromName(path)).toBe(mime);
});
