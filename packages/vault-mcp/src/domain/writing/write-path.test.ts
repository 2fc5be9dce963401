import { describe, expect, it } from "vitest";
import { VaultError } from "../errors.ts";
import { parseWritePath } from "./write-path.ts";

const unix = { roots: ["/home/ann/Vault"], windows: false };
const windows = { roots: ["C:\\Vault"], windows: true };

function failure(given: string, place = unix) {
  try {
    parseWritePath("path", given, place);
  } catch (error) {
    if (error instanceof VaultError) return { code: error.code, ...error.details };
  }
  throw new Error("did not fail");
}

describe("parseWritePath", () => {
  it.each([
    ["a.md", "a.md"],
    ["Folder/a.md", "Folder/a.md"],
    ["Folder\\a.md", "Folder/a.md"],
    ["Folder/", "Folder"],
    ["./a.md", "a.md"],
  ])("reads %j as %j", (given, path) => expect(parseWritePath("path", given, unix)).toBe(path));

  it("names the relative form of a path from a root", () => {
    for (const given of ["/Folder/a.md", "/home/ann/Vault/Folder/a.md", "\\Folder\\a.md"]) {
      expect(failure(given)).toMatchObject({
        code: "INVALID_ARGUMENT",
        next: expect.stringContaining('"Folder/a.md"'),
      });
    }
    expect(failure("c:\\vault\\Folder\\a.md", windows)).toMatchObject({
      next: expect.stringContaining('"Folder/a.md"'),
    });
  });

  it("refuses nothing, the vault itself and what leads out", () => {
    for (const given of ["", "  ", ".", "/", "/home/ann/Vault"]) {
      expect(failure(given)).toMatchObject({ code: "INVALID_ARGUMENT", argument: "path" });
    }
    expect(failure("../a.md").code).toBe("PATH_OUTSIDE_VAULT");
    expect(failure("a.md:stream", windows).code).toBe("PATH_OUTSIDE_VAULT");
  });
});
