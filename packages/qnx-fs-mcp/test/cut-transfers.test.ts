import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LocalFolder } from "../src/adapters/local/local-folder.ts";
import { isQnxFsError } from "../src/domain/errors.ts";
import { getPath } from "../src/domain/transfers/get-path.ts";
import { putPath } from "../src/domain/transfers/put-path.ts";
import { type CuttingProxy, startCuttingProxy } from "./cutting-proxy.ts";
import { openPool, type TestPool } from "./open-pool.ts";
import { haveSshd, type Sshd, startSshd } from "./start-sshd.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const runs = 100;
const size = 300_000;
/** A run that takes longer hangs. */
const longestMs = 20_000;
const oldBytes = Buffer.alloc(1_000, "old");
const signal = new AbortController().signal;

describe.skipIf(!haveSshd(process))("a line that is cut anywhere in a transfer, on OpenSSH", () => {
  let sshd: Sshd;
  let proxy: CuttingProxy;
  let tested: TestPool;
  let far: string;
  let near: string;
  let local: LocalFolder;
  let remove: () => Promise<void>;
  let seed = 20_261_130;

  /** The same numbers in each run of the tests. */
  const below = (limit: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed % limit;
  };

  beforeAll(async () => {
    const temporary = await temporaryFolder();
    remove = temporary.remove;
    far = path.join(temporary.folder, "far");
    near = path.join(temporary.folder, "near");
    await Promise.all([far, near].map((folder) => mkdir(folder)));
    sshd = await startSshd();
    proxy = await startCuttingProxy(sshd.port);
    const { host, user, userKey, fingerprints } = sshd;
    const login = { host, user, identity_file: userKey, host_key: fingerprints.ed25519 };
    const roots = { read_roots: [far], write_roots: [far] };
    tested = await openPool({ targets: { tb: { ...login, ...roots, port: proxy.port } } });
    local = new LocalFolder({ roots: async () => [near], own: near, home: near, platform: process.platform });
  });
  afterAll(async () => {
    await tested?.close();
    await proxy?.close();
    await sshd?.stop();
    await remove?.();
  });

  const services = {
    newId: () => randomBytes(4).toString("hex"),
    reopen: (bounded: AbortSignal) => tested.pool.open("tb", bounded),
    sleep: (ms: number, bounded: AbortSignal) => sleep(ms, undefined, { signal: bounded }),
    progress: () => {},
  };

  /** What a cut transfer comes to: nothing, or a failure that says that the line was lost. */
  async function outcomeOf(work: Promise<unknown>): Promise<"done" | "lost" | "unknown"> {
    try {
      await work;
      return "done";
    } catch (error) {
      if (isQnxFsError(error, "OUTCOME_UNKNOWN")) return "unknown";
      if (isQnxFsError(error, "CONNECTION_LOST", "HANDSHAKE_FAILED")) return "lost";
      throw error;
    }
  }

  test(
    `a put leaves the old file or the new one, and nothing else, ${runs} times`,
    async () => {
      const seen = { done: 0, lost: 0, unknown: 0 };
      const file = path.join(far, "file");
      for (let run = 0; run < runs; run++) {
        const overwrite = run % 2 === 0;
        await rm(file, { force: true });
        if (overwrite) await writeFile(file, oldBytes);
        const bytes = Buffer.alloc(size, String(run));
        const target = await tested.pool.open("tb", signal);
        // Twice what goes over the line: it is read back.
        proxy.cutAfter(below(run % 3 === 0 ? 12_000 : 2.1 * size));
        const content = { localPath: undefined, text: undefined, base64: bytes.toString("base64") };
        const request = {
          remotePath: file,
          mode: 0o640,
          overwrite,
          verify: true,
          recursive: false,
          most: 2 * size,
        };
        const start = performance.now();
        const outcome = await outcomeOf(putPath(target, local, content, request, services, signal));
        expect(performance.now() - start).toBeLessThan(longestMs);
        proxy.heal();
        seen[outcome]++;
        const there = await readFile(file).catch(() => undefined);
        const isNew = there?.equals(bytes) ?? false;
        const isOld = overwrite ? (there?.equals(oldBytes) ?? false) : there === undefined;
        const what = `run ${run}, ${outcome}, ${there?.length} bytes`;
        expect(isNew || (isOld && outcome !== "done"), what).toBe(true);
        if (outcome === "lost") expect(isOld, what).toBe(true);
        expect(await readdir(far), what).toEqual(there === undefined ? [] : ["file"]);
      }
      expect(seen.lost).toBeGreaterThan(runs / 3);
      expect(seen.unknown).toBe(0);
    },
    runs * 3_000,
  );

  test(
    `a get leaves the whole file or nothing, or with resume a part that is its beginning, ${runs} times`,
    async () => {
      const bytes = randomBytes(size);
      const file = path.join(far, "file");
      await writeFile(file, bytes);
      const seen = { done: 0, lost: 0, unknown: 0 };
      for (let run = 0; run < runs; run++) {
        const resume = run % 2 === 0;
        await rm(near, { recursive: true, force: true });
        await mkdir(near);
        const request = {
          remotePath: file,
          localPath: path.join(near, "copy"),
          recursive: false,
          overwrite: false,
          most: 2 * size,
          resume,
          verify: false,
          allowGrowing: false,
        };
        const get = async () =>
          getPath(
            await tested.pool.open("tb", signal),
            local,
            request,
            { ...services, mayReplace: true },
            signal,
          );
        await tested.pool.open("tb", signal);
        proxy.cutAfter(below(1.1 * size));
        const outcome = await outcomeOf(get());
        proxy.heal();
        seen[outcome]++;
        const names = (await readdir(near)).sort();
        const what = `run ${run}, ${outcome}, ${names}`;
        if (outcome === "done") expect(names, what).toEqual(["copy"]);
        else if (!resume) expect(names, what).toEqual([]);
        else if (names.length > 0) {
          expect(names, what).toEqual(["copy.part", "copy.part.json"]);
          const part = await readFile(path.join(near, "copy.part"));
          expect(part.equals(bytes.subarray(0, part.length)), what).toBe(true);
          expect((await get()).resumedAt, what).toBe(part.length);
        }
        if (outcome === "done" || (resume && names.length > 0))
          expect((await readFile(path.join(near, "copy"))).equals(bytes), what).toBe(true);
      }
      expect(seen.lost).toBeGreaterThan(runs / 3);
      expect(seen.unknown).toBe(0);
    },
    runs * 3_000,
  );
});
