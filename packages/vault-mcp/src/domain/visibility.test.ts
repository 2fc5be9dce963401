import { describe, expect, it } from "vitest";
import { mimeTypeOf } from "../adapters/mime-type.ts";
import { createVisibility, defaultAttachments } from "./visibility.ts";

describe("createVisibility", () => {
  const visibility = createVisibility({
    exclude: ["Private", "*.secret.md", "Archive/20??/**", "Drafts [old]/"],
    attachments: defaultAttachments,
  });

  it.each([
    ["a.md", false],
    [".env", true],
    [".x.md", true],
    ["a/.git/config", true],
    [".OBSIDIAN/app.json", true],
    ["a/Node_Modules/x.md", true],
    ["node_modules.md", false],
    ["Private/a.md", true],
    ["x/Private/deep/a.md", true],
    ["Private.md", false],
    ["a.secret.md", true],
    ["Archive/2030/a.md", true],
    ["Archive/notes/a.md", false],
    ["Drafts [old]/a.md", true],
    ["Drafts o/a.md", true],
    ["Drafts x/a.md", false],
  ])("%s hidden: %s", (path, hidden) => {
    expect(visibility.isHidden(path)).toBe(hidden);
  });

  it.each([
    ["a.md", "note"],
    ["A.MARKDOWN", "note"],
    ["x/y.Md", "note"],
    ["p.PNG", "attachment"],
    ["b.canvas", "attachment"],
    ["c.base", "attachment"],
    ["d.exe", undefined],
    ["LICENSE", undefined],
    [".md", undefined],
    ["md", undefined],
  ])("%s is %s", (path, kind) => {
    expect(visibility.kindOf(path)).toBe(kind);
  });

  it("serves any kind for *", () => {
    expect(createVisibility({ exclude: [], attachments: ["*"] }).kindOf("LICENSE")).toBe("attachment");
  });

  it("every default attachment has a media type of its own", () => {
    for (const extension of defaultAttachments) {
      expect(mimeTypeOf(`x.${extension}`), extension).toMatch(/^[a-z]+\/[a-z0-9.+-]+$/);
      expect(mimeTypeOf(`x.${extension}`), extension).not.toBe("application/octet-stream");
    }
    expect(mimeTypeOf("script.ts")).toBe("text/x-typescript");
    expect(mimeTypeOf("x.unknown")).toBe("application/octet-stream");
  });
});
