import fc from "fast-check";
import { expect, test } from "vitest";
import { fileUri, parseFileUri } from "./file-uri.ts";

test.each([
  ["a b/résumé (1).pdf", "app-files://notes/a%20b/r%C3%A9sum%C3%A9%20(1).pdf"],
  ["what?#100%.txt", "app-files://notes/what%3F%23100%25.txt"],
])("writes %s as a URI", (path, uri) => {
  expect(fileUri("notes", path)).toBe(uri);
  expect(parseFileUri(uri)).toEqual({ app: "notes", path });
});

test("every path comes back, and every URI is one", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (path) => {
      const uri = fileUri("notes", path);
      expect(URL.canParse(uri)).toBe(true);
      expect(parseFileUri(uri)).toEqual({ app: "notes", path: path.normalize("NFC") });
    }),
  );
});

test.each([
  "",
  "app-files://",
  "app-files://notes",
  "app-files://notes/",
  "app-files://No/x",
  "file:///etc/passwd",
  "app-files://a/%zz",
])("%j names no file", (uri) => {
  expect(parseFileUri(uri)).toBeUndefined();
});
