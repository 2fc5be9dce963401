import { mkdir, statfs, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { displayName } from "../src/domain/raw-name.ts";
import { searchBudget } from "../src/domain/searching/budget.ts";
import { diskUsage } from "../src/domain/searching/disk-usage.ts";
import { describeScripted, openPool } from "./open-pool.ts";
import { startScriptedTarget } from "./scripted-target/start-scripted-target.ts";
import { haveSshd, startSshd } from "./start-sshd.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const signal = new AbortController().signal;
const services = { budget: searchBudget, now: () => 0, progress: () => {} };
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

test("a target that cannot tell its room says so, and RAM is called RAM", async () => {
  const target = await startScriptedTarget();
  ends.push(target.close);
  const { pool, close } = await openPool(
    { targets: { tb: describeScripted(target) } },
    { env: { PASSWORD: target.password } },
  );
  ends.push(close);
  const place = await pool.open("tb", signal);
  const usage = await diskUsage(place, "/tmp", true, services, signal);
  expect(usage).toMatchObject({ realPath: "/dev/shmem", ram: true, space: undefined });
  expect(usage.tree).toMatchObject({ bytes: 8_294_400 + 32_768 + 1_048_576, files: 3, directories: 1 });
  const small = { ...services, budget: { ...searchBudget, entries: 2 } };
  expect((await diskUsage(place, "/data", true, small, signal)).tree?.report.stopped).toBe(true);
});

describe.skipIf(!haveSshd(process))("on sshd", () => {
  test("the room and the sizes are those of the file system", async () => {
    const { folder, remove } = await temporaryFolder();
    ends.push(remove);
    await mkdir(path.join(folder, "sub/deep"), { recursive: true });
    await writeFile(path.join(folder, "sub/deep/a"), Buffer.alloc(3_000));
    await writeFile(path.join(folder, "sub/b"), Buffer.alloc(500));
    await writeFile(path.join(folder, "c"), Buffer.alloc(4_000));
    await symlink("/", path.join(folder, "root"));
    const sshd = await startSshd();
    ends.push(sshd.stop);
    const { host, port, user, userKey, fingerprints } = sshd;
    const tb = { host, port, user, identity_file: userKey, host_key: fingerprints.ed25519 };
    const { pool, close } = await openPool({ targets: { tb } });
    ends.push(close);
    const place = await pool.open("tb", signal);
    const { space, tree, ram } = await diskUsage(place, folder, true, services, signal);
    const { bsize, blocks } = await statfs(folder);
    expect(space).toMatchObject({ total: bsize * blocks, readOnly: false });
    expect(space?.free).toBeGreaterThan(0);
    expect(ram).toBe(false);
    expect(tree).toMatchObject({ bytes: 7_500, files: 3, directories: 2 });
    expect(tree?.parts.map(({ name, bytes, files }) => [displayName(name).text, bytes, files])).toEqual([
      ["c", 4_000, 1],
      ["sub", 3_500, 2],
      ["root", 0, 0],
    ]);
  });
});
