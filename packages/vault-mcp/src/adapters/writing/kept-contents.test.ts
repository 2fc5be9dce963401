import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { etagOf } from "../../domain/etag.ts";
import { KeptContents } from "./kept-contents.ts";

const day = 86_400_000;
let folder: string;
let now: number;
let kept: KeptContents;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vault-mcp-kept-"));
  now = Date.UTC(2031, 1, 3);
  kept = new KeptContents(join(folder, "kept"), () => new Date(now));
});

afterEach(() => rmSync(folder, { recursive: true }));

const keep = (path: string, text: string, wasDeleted = false) =>
  kept.keep(path, Buffer.from(text), wasDeleted);

describe("KeptContents", () => {
  it("gives contents back by version, the newest first, even where the clock stands still", async () => {
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0, 0xff, 0x0d, 0x0a]);
    const versions = [
      await kept.keep("ä/n.md", bytes, false),
      await keep("ä/n.md", "two"),
      await keep("ä/n.md", "three", true),
    ];
    expect(versions[0]).toBe(etagOf(bytes));
    expect((await kept.versions("a\u0308/n.md")).map(({ version }) => version)).toEqual(versions.reverse());
    expect((await kept.versions("ä/n.md")).map(({ wasDeleted }) => wasDeleted)).toEqual([true, false, false]);
    expect(await kept.read("ä/n.md", etagOf(bytes))).toEqual(bytes);
    expect(await kept.read("ä/n.md", "0123456789abcdef")).toBeUndefined();
    expect(await kept.read("other.md", etagOf(bytes))).toBeUndefined();
    expect(await kept.versions("other.md")).toEqual([]);
  });

  it("keeps ten a path, and each content once", async () => {
    for (let number = 1; number <= 12; number += 1) {
      now += 1_000;
      await keep("n.md", `content ${number}`);
      await keep("other.md", "the same");
    }
    const versions = await kept.versions("n.md");
    expect(versions.length).toBe(10);
    expect(versions[9]?.version).toBe(etagOf(Buffer.from("content 3")));
    expect((await kept.versions("other.md")).length).toBe(1);
  });

  it("forgets after thirty days", async () => {
    await kept.prune();
    await keep("n.md", "old");
    now += 20 * day;
    await keep("n.md", "newer");
    await keep("gone.md", "x", true);
    now += 11 * day;
    expect((await kept.versions("n.md")).length).toBe(1);
    await kept.prune();
    expect(readdirSync(join(folder, "kept")).length).toBe(3);
    now += 20 * day;
    await kept.prune();
    expect(readdirSync(join(folder, "kept"))).toEqual([".pruned"]);
    expect(await kept.versions("n.md")).toEqual([]);
  });

  it("lets contents follow a file to its new path", async () => {
    const version = await keep("a.md", "one");
    await keep("b.md", "two");
    await kept.move("a.md", "b.md");
    await kept.move("nothing.md", "c.md");
    expect(await kept.versions("a.md")).toEqual([]);
    expect((await kept.read("b.md", version))?.toString()).toBe("one");
    expect((await kept.versions("b.md")).length).toBe(2);
  });

  it("is for its owner alone", async () => {
    await keep("n.md", "secret");
    const [name = ""] = readdirSync(join(folder, "kept"));
    expect(statSync(join(folder, "kept", name)).mode & 0o777).toBe(0o700);
    const [file = ""] = readdirSync(join(folder, "kept", name));
    expect(statSync(join(folder, "kept", name, file)).mode & 0o777).toBe(0o600);
  });
});
