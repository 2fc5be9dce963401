import { createHash } from "node:crypto";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { LocalFolder } from "../src/adapters/local/local-folder.ts";
import { compareWithLocal } from "../src/domain/comparing/compare-with-local.ts";
import { hashPath, hashPaths } from "../src/domain/comparing/hash-path.ts";
import { describeScripted, openPool } from "./open-pool.ts";
import { type ScriptedTargetOptions, startScriptedTarget } from "./scripted-target/start-scripted-target.ts";
import { directory, fileWith, link, type Node } from "./scripted-target/tree.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const { signal } = new AbortController();
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const sha256 = (content: string | Buffer): string => createHash("sha256").update(content).digest("hex");
const large = Buffer.alloc(3_000_000, "a build that is large\n");

const build = (): Node =>
  directory({
    app: fileWith(large),
    lib: directory({ "libx.so": fileWith("version 2"), "liby.so": fileWith("same") }),
    link: link("app"),
    only: directory({ there: fileWith("x"), "there too": fileWith("x") }),
  });

async function arrange(options: ScriptedTargetOptions = {}) {
  const root = directory({
    d: build(),
    secret: fileWith("s"),
    proc: directory({ "1": directory({ cmdline: fileWith("app", { noSize: true }) }) }),
  });
  const target = await startScriptedTarget({ root, ...options });
  ends.push(target.close);
  const { pool, close } = await openPool(
    { targets: { tb: describeScripted(target, { read_roots: ["/d", "/proc"] }) } },
    { env: { PASSWORD: target.password } },
  );
  ends.push(close);
  const { folder, remove } = await temporaryFolder();
  ends.push(remove);
  const home = path.join(folder, "home");
  await mkdir(path.join(home, "build/lib"), { recursive: true });
  const local = new LocalFolder({
    roots: async () => ["~/build"],
    own: path.join(folder, "own"),
    home,
    platform: "linux",
  });
  const place = await pool.open("tb", signal);
  const compare = (remote: string, at: string, deadline = signal) =>
    compareWithLocal(place, remote, local, at, () => {}, deadline, signal);
  const write = (name: string, content: string | Buffer): Promise<void> =>
    writeFile(path.join(home, "build", name), content);
  return { target, place, compare, write, home, folder };
}

describe("hashes", () => {
  test("are those of the bytes on the target", async () => {
    const { place } = await arrange();
    const outcomes = await hashPaths(
      place,
      ["/d/app", "/d/link", "/proc/1/cmdline", "/secret", "/d/none"],
      () => {},
      signal,
      signal,
    );
    expect(outcomes).toMatchObject([
      { hashed: { sha256: sha256(large), size: large.length, realPath: "/d/app" } },
      { hashed: { sha256: sha256(large), realPath: "/d/app" } },
      { hashed: { sha256: sha256("app"), size: 3 } },
      { failure: { code: "OUTSIDE_ROOTS" } },
      { failure: { code: "NOT_FOUND" } },
    ]);
  });

  test("of a file that changes meanwhile are refused", async () => {
    let begun = false;
    const { target, place } = await arrange({
      behave: (request) => {
        if (request === "READ" && !begun) {
          begun = true;
          const d = target.root().entries?.[0]?.[1].entries as [string, Node][];
          d[0] = ["app", fileWith(large, { mtime: 5 })];
        }
        return "answer";
      },
    });
    await expect(hashPath(place, "/d/app", () => {}, signal)).rejects.toMatchObject({
      code: "CHANGED_WHILE_READING",
    });
  });

  test("for which there is no time are told so, the others not lost", async () => {
    const { place } = await arrange();
    const late = AbortSignal.abort(new Error("late"));
    expect(await hashPaths(place, ["/d/app"], () => {}, late, signal)).toEqual([
      { path: "/d/app", late: true },
    ]);
  });
});

describe("a comparison", () => {
  test("of two files goes by their contents", async () => {
    const { compare, write } = await arrange();
    await write("app", large);
    expect((await compare("/d/app", "~/build/app")).comparison?.localSha256).toBe(sha256(large));
    const other = Buffer.from(large);
    other[2_999_999] = 0;
    await write("app", other);
    const { outcome, comparison } = await compare("/d/app", "~/build/app");
    expect(comparison?.localSha256).toBe(sha256(other));
    expect(outcome.hashed?.sha256).toBe(sha256(large));
  });

  test("of two directories tells what is missing, different and extra", async () => {
    const { compare, write, home } = await arrange();
    await write("app", large);
    await write("lib/libx.so", "version 1");
    await write("lib/liby.so", "same");
    await write("new", "not installed yet");
    await symlink("app", path.join(home, "build/link"));
    const { comparison } = await compare("/d", "~/build");
    expect(comparison?.tree).toMatchObject({
      equal: 2,
      differences: [
        { path: "lib/libx.so", state: "different" },
        { path: "new", state: "missing" },
        { path: "only", state: "extra" },
      ],
      notCompared: ["link"],
    });
  });

  test("tells nothing of what there was no time for", async () => {
    const { compare, write } = await arrange();
    await write("app", large);
    const { comparison } = await compare("/d", "~/build", AbortSignal.abort());
    expect(comparison?.tree?.equal).toBe(0);
    expect(comparison?.tree?.differences.filter(({ state }) => state === "missing")).toEqual([]);
  });

  test("keeps to the local roots, and says where one side is no match", async () => {
    const { compare, home, folder } = await arrange();
    await writeFile(path.join(folder, "outside"), "x");
    await symlink(path.join(folder, "outside"), path.join(home, "build/way-out"));
    for (const at of [
      path.join(folder, "outside"),
      "~/build/way-out",
      "~/build/none",
      "build",
      "~/build/../x",
    ]) {
      await expect(compare("/d/app", at), at).rejects.toMatchObject({ code: "LOCAL_PATH_REFUSED" });
    }
    expect((await compare("/d/app", "~/build")).outcome.failure?.code).toBe("NOT_A_DIRECTORY");
    expect((await compare("/secret", "~/build")).outcome.failure?.code).toBe("OUTSIDE_ROOTS");
  });
});
