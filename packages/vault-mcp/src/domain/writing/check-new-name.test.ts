import { describe, expect, it } from "vitest";
import { VaultError } from "../errors.ts";
import { checkNewName } from "./check-new-name.ts";

function reason(name: string): string | undefined {
  try {
    checkNewName("p", name);
    return undefined;
  } catch (error) {
    if (error instanceof VaultError) return (error.details as { reason: string }).reason;
    throw error;
  }
}

describe("checkNewName", () => {
  it.each([
    "Note.md",
    "Café ☕.md",
    "2031-02-03.md",
    "a.b.c.md",
    "Notes (1).md",
    "Console.md",
    "a'b & c, d!.md",
    "com.md",
    `${"x".repeat(252)}.md`,
  ])("takes %j", (name) => expect(reason(name)).toBeUndefined());

  it.each([
    ["a: b?.md", "has : in it"],
    ["a#b.md", "has # in it, which Obsidian's links cannot hold"],
    ["b[1].md", "has [ in it"],
    ["a|b.md", "has | in it"],
    ["a^b.md", "has ^ in it"],
    ["a\\b.md", "has \\ in it"],
    ["CON", "reserved for a device"],
    ["con.md", "reserved for a device"],
    ["LPT9.tar.gz", "reserved for a device"],
    ["COM¹.md", "reserved for a device"],
    ["x.", "ends with a dot"],
    ["x ", "ends with a space"],
    [" x.md", "begins with a space"],
    ["a\nb.md", "control character"],
    ["a\u0000b.md", "control character"],
    [`${"x".repeat(253)}.md`, "has 256 bytes"],
    [`${"é".repeat(127)}.md`, "has 257 bytes"],
    ["\ud83d.md", "half of a surrogate pair"],
  ])("refuses %j and says that it %s", (name, part) => expect(reason(name)).toContain(part));
});
