import { cutText } from "@mcp-file-servers/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createYamlParser } from "../../adapters/yaml-frontmatter.ts";
import { etagOf } from "../etag.ts";
import { type PartOptions, readPart, type TextPart } from "./read-part.ts";
import type { ReadTarget } from "./read-request.ts";

const options: PartOptions = { room: 4_000, cut: cutText, parseYaml: createYamlParser() };
const everything: ReadTarget = { section: undefined, startLine: undefined, endLine: undefined };

function file(content: string | Uint8Array) {
  const bytes = Buffer.from(content);
  const facts = { path: "n.md", kind: "note" as const, mimeType: "text/markdown", modifiedAt: 0 };
  return { ...facts, sizeBytes: bytes.length, bytes };
}

function read(content: string | Uint8Array, target: Partial<ReadTarget> = {}, room = 4_000): TextPart {
  return readPart(file(content), "n.md", { ...everything, ...target }, undefined, { ...options, room });
}

function walk(content: string | Uint8Array, target: Partial<ReadTarget> = {}, room = 4_000): TextPart[] {
  const parts: TextPart[] = [];
  let offset: number | undefined;
  do {
    const part = readPart(file(content), "n.md", { ...everything, ...target }, offset, { ...options, room });
    parts.push(part);
    offset = part.nextOffset;
  } while (offset !== undefined);
  return parts;
}

describe("readPart", () => {
  it("gives the whole of a small note: its own text, frontmatter, outline, lines, a whole tag", () => {
    const text = "\ufeff---\r\na: 1.10\r\n---\r\n# T\r\n\r\nend";
    expect(read(text)).toEqual({
      content: text,
      startLine: 1,
      endLine: 6,
      totalLines: 6,
      etag: etagOf(Buffer.from(text)),
      frontmatter: { a: "1.10" },
      outline: [{ level: 1, text: "T", line: 4 }],
      parseError: undefined,
      nextOffset: undefined,
      notes: [],
    });
  });

  it("reads an empty note", () => {
    expect(read("")).toMatchObject({
      content: "",
      startLine: 0,
      endLine: 0,
      totalLines: 0,
      etag: etagOf(Buffer.from("")),
    });
  });

  it("reads sections and lines, with a partial tag", () => {
    const text = "# A\na\n## B\nb\n# C\nc";
    expect(read(text, { section: "B" })).toMatchObject({ content: "## B\nb\n", startLine: 3, endLine: 4 });
    expect(read(text, { startLine: 2, endLine: 3 })).toMatchObject({
      content: "a\n## B\n",
      startLine: 2,
      endLine: 3,
    });
    expect(read(text, { startLine: 5 })).toMatchObject({ content: "# C\nc", endLine: 6 });
    expect(read(text, { endLine: 99 })).toMatchObject({ content: text, etag: etagOf(Buffer.from(text)) });
    expect(read(text, { section: "B" }).etag).toBe(`${etagOf(Buffer.from(text))}-partial`);
    expect(() => read(text, { startLine: 7 })).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
    expect(() => read(text, { section: "b c" })).toThrow(
      expect.objectContaining({ code: "SECTION_NOT_FOUND" }),
    );
  });

  it("shows what is not UTF-8 as Latin-1, with a note and no whole tag", () => {
    const part = read(Uint8Array.from([0x61, 0x0a, 0xe9]));
    expect(part).toMatchObject({ content: "a\né", parseError: { line: 2, message: "is not UTF-8 text" } });
    expect(part.etag).toMatch(/-partial$/);
    expect(part.notes).toEqual(["The file is not UTF-8 (first in line 2); it is shown as Latin-1."]);
  });

  it("tells of broken frontmatter, the same at each reading", () => {
    const text = '---\nt: "open\n---\nx';
    expect(read(text).parseError?.line).toBe(3);
    expect(read(text)).toEqual(read(text));
    expect(read(text).content).toBe(text);
  });

  it("leaves most of the room to the content", () => {
    const long = `---\nlong: ${"x".repeat(3_000)}\n---\n${"## heading\n".repeat(500)}`;
    const part = read(long);
    expect(part.frontmatter).toBeUndefined();
    expect(part.outline?.length).toBeGreaterThan(5);
    expect(part.notes.join(" ")).toMatch(/frontmatter is too large.*outline shows \d+ of 500 headings/);
    expect(part.content.length).toBeGreaterThan(1_500);
  });

  const piece = fc.constantFrom(
    "a",
    "é",
    "日",
    "🌱",
    "\n",
    "\r\n",
    "\r",
    '"',
    "\\",
    "\u0001",
    "word ".repeat(40),
  );

  it("gives every part within the room, and all of them together are the text", () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 400 }),
        fc.integer({ min: 1_000, max: 3_000 }),
        (pieces, room) => {
          const text = pieces.join("");
          const parts = walk(text, {}, room);
          expect(parts.map(({ content }) => content).join("")).toBe(text);
          for (const { content } of parts) {
            expect(content.isWellFormed()).toBe(true);
            expect(Buffer.byteLength(JSON.stringify(content))).toBeLessThanOrEqual(room);
          }
          const etag = etagOf(Buffer.from(text));
          expect(parts.map((part) => part.etag)).toEqual([
            ...parts.slice(1).map(() => `${etag}-partial`),
            etag,
          ]);
          for (const [index, part] of parts.slice(1).entries()) {
            expect(part.startLine - (parts[index]?.endLine ?? 0)).toBeOneOf([0, 1]);
            expect(part.outline).toBeUndefined();
          }
          expect(parts.at(-1)?.endLine).toBe(parts[0]?.totalLines);
        },
      ),
    );
  });

  it("cuts between lines where it can, and inside one huge line where it must", () => {
    const lines = walk("0123456789".repeat(20).concat("\n").repeat(100));
    expect(lines.every(({ content }) => content.endsWith("\n"))).toBe(true);
    const huge = "🌱".repeat(10_000);
    const parts = walk(huge);
    expect(parts.length).toBeGreaterThan(5);
    expect(
      parts.every(
        ({ startLine, endLine, totalLines }) => startLine === 1 && endLine === 1 && totalLines === 1,
      ),
    ).toBe(true);
  });
});
