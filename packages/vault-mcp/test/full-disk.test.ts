import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadYamlParser } from "../src/adapters/load-yaml-parser.ts";
import { VaultFiles } from "../src/adapters/vault-files.ts";
import { VaultWriter } from "../src/adapters/writing/vault-writer.ts";
import { createVisibility, defaultAttachments } from "../src/domain/visibility.ts";
import { type SmallDisk, smallDisk } from "./support/small-disk.ts";
import { failureOf } from "./support/temporary-writer.ts";

const { signal } = new AbortController();
const visibility = createVisibility({ exclude: [], attachments: defaultAttachments });
let disk: SmallDisk | undefined;
let other: string;

beforeEach(() => {
  disk = smallDisk(262_144);
  other = mkdtempSync(join(tmpdir(), "vault-mcp-other-"));
});

afterEach(() => {
  disk?.dispose();
  rmSync(other, { recursive: true });
});

const old = "old ".repeat(10_000);
const large = Buffer.alloc(240_000, "x");

async function writeBoth(root: string, stateFolder: string) {
  writeFileSync(join(root, "a.md"), old);
  const writer = new VaultWriter({
    root,
    visibility,
    stateFolder,
    now: () => new Date(),
    loadYamlParser,
    report: () => {},
  });
  const file = await new VaultFiles(root, visibility).read("a.md", "a.md", 1_000_000);
  if (file?.bytes === undefined) throw new Error("not read");
  const whole = { ...file, bytes: file.bytes };
  const replaced = await failureOf(writer.exclusively(signal, () => writer.replace(whole, "a.md", large)));
  const created = writer.exclusively(signal, () => writer.create("New/b.md", "New/b.md", large));
  const outcome = await created.then(
    () => "created",
    (error) => error.code,
  );
  await writer.close();
  return { replaced, outcome };
}

test("a full disk leaves the old note whole, a clear error and nothing else", async ({ skip }) => {
  if (disk === undefined) return skip("no small file system can be mounted here: a full disk is NOT tested");
  const { replaced, outcome } = await writeBoth(disk.path, other);
  expect(replaced).toMatchObject({
    code: "NOT_WRITTEN",
    reason: "there is no room left on the disk",
    retry: true,
  });
  expect(outcome).toBe("NOT_WRITTEN");
  expect(readdirSync(disk.path)).toEqual(["a.md"]);
  expect(readFileSync(join(disk.path, "a.md"), "utf8")).toBe(old);
});

test("without room to keep the old content nothing is replaced", async ({ skip }) => {
  if (disk === undefined) return skip("no small file system can be mounted here: a full disk is NOT tested");
  mkdirSync(join(disk.path, "state"));
  writeFileSync(join(disk.path, "filler"), Buffer.alloc(220_000));
  const { replaced } = await writeBoth(other, join(disk.path, "state"));
  expect(replaced).toMatchObject({ code: "NOT_WRITTEN", reason: expect.stringContaining("no room left") });
  expect(readFileSync(join(other, "a.md"), "utf8")).toBe(old);
});
