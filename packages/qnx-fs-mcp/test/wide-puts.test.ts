import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { putFile } from "../src/domain/transfers/put-file.ts";
import { describeScripted, openPool, type TestPool } from "./open-pool.ts";
import { type ScriptedTargetOptions, startScriptedTarget } from "./scripted-target/start-scripted-target.ts";
import { contentOf, directory, find } from "./scripted-target/tree.ts";
import { haveSshd, startSshd } from "./start-sshd.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { noise } from "./transfer-bench.ts";

/** Puts that open a second channel at once, as one does over a line with a long way. */
const limits = { oneChannelBytes: 0 };
const bytes = noise(6_000_001);
const request = { remotePath: "", mode: undefined, overwrite: false, verify: true };
const signal = new AbortController().signal;
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Puts `bytes` of which the first are sent before `between` has come to its end. */
async function put({ pool }: TestPool, remotePath: string, between: () => Promise<unknown>) {
  const source = {
    size: bytes.length,
    async *pieces() {
      yield bytes.subarray(0, 100_000);
      await between();
      yield bytes.subarray(100_000);
    },
    assertUnchanged: async () => {},
  };
  const services = {
    newId: () => randomBytes(4).toString("hex"),
    reopen: (bounded: AbortSignal) => pool.open("tb", bounded),
    sleep: (ms: number, bounded: AbortSignal) => sleep(ms, undefined, { signal: bounded }),
    progress: () => {},
  };
  return putFile(await pool.open("tb", signal), source, { ...request, remotePath }, services, signal);
}

/** A scripted target and a pool over it. */
async function arrange(options: ScriptedTargetOptions = {}) {
  const target = await startScriptedTarget({
    root: directory({ srv: directory({}) }),
    extensions: { "posix-rename@openssh.com": "1", "fsync@openssh.com": "1" },
    ...options,
  });
  ends.push(target.close);
  const tested = await openPool(
    { targets: { tb: describeScripted(target, { read_roots: ["/srv"], write_roots: ["/srv"] }) } },
    { env: { PASSWORD: target.password }, limits },
  );
  ends.push(tested.close);
  return { target, tested };
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(2);
}

test("a put over two channels holds every byte, and leaves one channel", async () => {
  const { target, tested } = await arrange();
  for (const name of ["first", "second", "third"]) {
    await put(tested, `/srv/${name}`, () => until(() => target.openSessions() === 2));
    const found = find(target.root(), `/srv/${name}`, false);
    expect("node" in found && contentOf(found.node)?.equals(bytes)).toBe(true);
    await until(() => target.openSessions() === 1);
  }
});

test("a put goes on over one channel where the target gives no other", async () => {
  const { target, tested } = await arrange({ maxSessions: 1 });
  await put(tested, "/srv/f", async () => {});
  const found = find(target.root(), "/srv/f", false);
  expect("node" in found && contentOf(found.node)?.equals(bytes)).toBe(true);
  expect(target.openSessions()).toBe(1);
});

test("a put fails, and leaves nothing, where what came over the second channel is refused", async () => {
  let opened = 0;
  const { target, tested } = await arrange({
    behave: (asked) => {
      if (asked === "OPEN") opened++;
      return asked === "WRITE" && opened === 2 ? "refuse" : "answer";
    },
  });
  const putting = put(tested, "/srv/f", () => until(() => opened === 2));
  await expect(putting).rejects.toMatchObject({ code: "REFUSED_BY_TARGET" });
  expect(find(target.root(), "/srv/f", false)).toMatchObject({ missing: "last" });
  await until(() => target.openSessions() === 1);
});

test("a put whose line drops amid its second channel fails and leaves nothing, and the next one goes through", async () => {
  let opened = 0;
  let dropped = false;
  const { target, tested } = await arrange({
    behave: (asked) => {
      if (asked === "OPEN") opened++;
      if (asked !== "WRITE" || opened !== 2 || dropped) return "answer";
      dropped = true;
      return "drop";
    },
  });
  const putting = put(tested, "/srv/f", () => until(() => opened === 2));
  await expect(putting).rejects.toMatchObject({ code: "CONNECTION_LOST" });
  expect(dropped).toBe(true);
  expect(find(target.root(), "/srv", false)).toMatchObject({ node: { entries: [] } });
  await put(tested, "/srv/f", async () => {});
  const found = find(target.root(), "/srv/f", false);
  expect("node" in found && contentOf(found.node)?.equals(bytes)).toBe(true);
});

test.runIf(haveSshd(process))("a put over two channels of OpenSSH holds every byte", async () => {
  const sshd = await startSshd();
  ends.push(sshd.stop);
  const { folder, remove } = await temporaryFolder();
  ends.push(remove);
  const { host, port, user, userKey, fingerprints } = sshd;
  const login = { host, port, user, identity_file: userKey, host_key: fingerprints.ed25519 };
  const tested = await openPool(
    { targets: { tb: { ...login, read_roots: [folder], write_roots: [folder] } } },
    { limits },
  );
  ends.push(tested.close);
  const { files } = await tested.pool.open("tb", signal);
  await put(tested, path.join(folder, "f"), async () => {
    // By then the second channel is there: it was asked for before.
    for (let asked = 0; asked < 20; asked++) await files.lstat(folder, signal);
  });
  expect((await readFile(path.join(folder, "f"))).equals(bytes)).toBe(true);
  expect(await readdir(folder)).toEqual(["f"]);
});
