import { expect, it } from "vitest";
import { VaultError } from "../domain/errors.ts";
import { describeFailure } from "./failures.ts";

it("quotes foreign text and bounds it", () => {
  const path = `evil"\n${"x".repeat(500)}`;
  const { message, next } = describeFailure(new VaultError("NOT_FOUND", { path, nearest: [path] }));
  expect(message).not.toMatch(/\n/);
  expect(next).not.toMatch(/\n/);
  expect(message.length).toBeLessThan(500);
});

it.each([
  [new VaultError("NOT_FOUND", { path: "a", nearest: ["a.md"] }), /nearest: "a\.md"/, /path "a\.md"/],
  [new VaultError("NOT_FOUND", { path: "a", nearest: [] }), /there is no "a"/, /^Call list_documents/],
  [
    new VaultError("VAULT_UNREADABLE", { path: "", reason: "gone" }),
    /vault's folder cannot be read: gone/,
    /^Try again/,
  ],
  [new VaultError("KIND_NOT_SERVED", { path: "a.exe", served: ["png"] }), /"png"|png/, /--attachments/],
  [
    new VaultError("SECTION_NOT_FOUND", { path: "a.md", section: "x", nearest: [] }),
    /there is no "x" in "a\.md"$/,
    /without section: the document has none/,
  ],
  [
    new VaultError("NOT_A_FILE", { path: "F", what: "a folder" }),
    /is a folder/,
    /list_documents with folder "F"/,
  ],
])("%s says what is wrong and what to do", (error, message, next) => {
  const described = describeFailure(error);
  expect(described.code).toBe(error.code);
  expect(described.message).toMatch(message);
  expect(described.message).not.toMatch(/\.$/);
  expect(described.next).toMatch(next);
  expect(described.next).toMatch(/\.$/);
});
