import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { afterEach, beforeEach, expect, test } from "vitest";
import { thirdPartyNotices } from "./third-party-notices.mjs";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "notices-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function addLibrary(name: string, manifest: object, files: Readonly<Record<string, string>> = {}): void {
  const library = path.join(folder, "node_modules", name);
  mkdirSync(library, { recursive: true });
  writeFileSync(path.join(library, "package.json"), JSON.stringify({ name, version: "1.2.3", ...manifest }));
  writeFileSync(path.join(library, "index.js"), `export const value = "${name}";\n`);
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(library, file), text);
}

async function noticesOf(code: string): Promise<string> {
  writeFileSync(path.join(folder, "main.js"), code);
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: ["main.js"],
    bundle: true,
    format: "esm",
    metafile: true,
    write: false,
    outdir: "out",
  });
  return thirdPartyNotices(metafile, folder);
}

test("tells the licence of what is inside, and of nothing else", async () => {
  addLibrary("used", { license: "MIT" }, { LICENSE: "Copyright of used" });
  addLibrary("shaken", { license: "MIT", sideEffects: false }, { LICENSE: "Copyright of shaken" });
  const notices = await noticesOf(
    'import { value } from "used"; import { value as other } from "shaken"; console.log(value);',
  );
  expect(notices).toContain("used 1.2.3 (MIT)\n\nCopyright of used");
  expect(notices).not.toContain("shaken");
});

test("refuses a library that carries no licence", async () => {
  addLibrary("nobodys", {});
  await expect(noticesOf('import { value } from "nobodys"; console.log(value);')).rejects.toThrow(
    "nobodys 1.2.3 is bundled but has no licence",
  );
});
