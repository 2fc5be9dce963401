import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { LocalFolder } from "../src/adapters/local/local-folder.ts";
import { getFile } from "../src/domain/transfers/get-file.ts";
import { putFile } from "../src/domain/transfers/put-file.ts";
import { openPool } from "./open-pool.ts";
import { haveSshd, startSshd } from "./start-sshd.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const mebibyte = 1024 * 1024;
const signal = new AbortController().signal;
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A disk of 3 MiB in memory; undefined where nobody may mount one, and then the test says so. */
async function smallDisk(skip: (note: string) => void): Promise<string | undefined> {
  const { folder, remove } = await temporaryFolder();
  ends.push(remove);
  const disk = path.join(folder, "disk");
  await mkdir(disk);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=3m", "tmpfs", disk], { stdio: "ignore" });
  } catch {
    skip("a small disk cannot be mounted here: a full disk is NOT tested");
    return undefined;
  }
  ends.push(async () => execFileSync("umount", ["-l", disk]));
  return disk;
}

/** A connection to a real sshd on which `disk` may be read and written. */
async function openDisk(disk: string) {
  const sshd = await startSshd();
  ends.push(sshd.stop);
  const { host, port, user, userKey, fingerprints } = sshd;
  const login = { host, port, user, identity_file: userKey, host_key: fingerprints.ed25519 };
  const tested = await openPool({
    targets: { tb: { ...login, read_roots: [disk], write_roots: [disk] } },
  });
  ends.push(tested.close);
  const services = {
    newId: () => randomBytes(4).toString("hex"),
    reopen: (bounded: AbortSignal) => tested.pool.open("tb", bounded),
    sleep: (ms: number, bounded: AbortSignal) => sleep(ms, undefined, { signal: bounded }),
    progress: () => {},
  };
  return { target: await tested.pool.open("tb", signal), services };
}

/** Bytes to put; `between` happens once the first of them were given away. */
function sourceOf(bytes: Buffer, between: () => Promise<void> = async () => {}) {
  return {
    size: bytes.length,
    async *pieces() {
      yield bytes.subarray(0, mebibyte);
      await between();
      yield bytes.subarray(mebibyte);
    },
    assertUnchanged: async () => {},
  };
}

/** Fills a disk to the last byte. */
async function fill(disk: string): Promise<void> {
  await expect(writeFile(path.join(disk, "filler"), Buffer.alloc(4 * mebibyte))).rejects.toMatchObject({
    code: "ENOSPC",
  });
}

/** A host that cannot tell its room, or whose room is gone as soon as it was told. */
class Unmeasured extends LocalFolder {
  override async room(): Promise<undefined> {
    return undefined;
  }
}

describe.skipIf(!haveSshd(process))("a full disk, on OpenSSH", () => {
  test("is told before a put begins and in its middle; the old file stays, and nothing else", async ({
    skip,
  }) => {
    const disk = await smallDisk(skip);
    if (disk === undefined) return;
    const file = path.join(disk, "file");
    await writeFile(file, "old");
    const { target, services } = await openDisk(disk);
    const request = { remotePath: file, mode: undefined, overwrite: true, verify: true };
    const bytes = randomBytes(2 * mebibyte);

    const tooMuch = putFile(target, sourceOf(randomBytes(4 * mebibyte)), request, services, signal);
    await expect(tooMuch).rejects.toMatchObject({
      code: "NO_SPACE",
      details: { target: "tb", path: file, needed: 4 * mebibyte },
    });
    const overtaken = putFile(
      target,
      sourceOf(bytes, () => fill(disk)),
      request,
      services,
      signal,
    );
    await expect(overtaken).rejects.toMatchObject({
      code: "NO_SPACE",
      details: { target: "tb", path: file },
    });
    expect(await readFile(file, "utf8")).toBe("old");
    expect((await readdir(disk)).sort()).toEqual(["file", "filler"]);

    await rm(path.join(disk, "filler"));
    expect(await putFile(target, sourceOf(bytes), request, services, signal)).toMatchObject({
      replaced: true,
    });
    expect((await readFile(file)).equals(bytes)).toBe(true);
    expect(await readdir(disk)).toEqual(["file"]);
  });

  test("of this host is told by a get that leaves nothing, or with resume what it has", async ({ skip }) => {
    const disk = await smallDisk(skip);
    if (disk === undefined) return;
    const { folder, remove } = await temporaryFolder();
    ends.push(remove);
    const bytes = randomBytes(2 * mebibyte);
    await writeFile(path.join(folder, "file"), bytes);
    const { target, services } = await openDisk(folder);
    const local = new Unmeasured({
      roots: async () => [disk],
      own: disk,
      home: disk,
      platform: process.platform,
    });
    await writeFile(path.join(disk, "other"), Buffer.alloc(2 * mebibyte));
    const get = (resume: boolean) => {
      const request = {
        remotePath: path.join(folder, "file"),
        localPath: path.join(disk, "copy"),
        overwrite: false,
        most: 4 * mebibyte,
        resume,
        verify: false,
        allowGrowing: false,
      };
      return getFile(target, local, request, services.newId, () => {}, signal);
    };
    const noSpace = { code: "NO_SPACE", details: { target: null } };
    await expect(get(false)).rejects.toMatchObject(noSpace);
    expect(await readdir(disk)).toEqual(["other"]);
    await expect(get(true)).rejects.toMatchObject(noSpace);
    const part = await readFile(path.join(disk, "copy.part"));
    expect(part.equals(bytes.subarray(0, part.length))).toBe(true);
    await rm(path.join(disk, "other"));
    await get(true);
    expect((await readFile(path.join(disk, "copy"))).equals(bytes)).toBe(true);
  });
});
