import { execFile } from "node:child_process";
import { mkdir, symlink, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { describe } from "vitest";
import { describeScripted, openPool } from "./open-pool.ts";
import { type ContractTarget, describeRemoteFiles, manyNames, plainNames } from "./remote-files.contract.ts";
import { startScriptedTarget } from "./scripted-target/start-scripted-target.ts";
import { directory, fifo, file, link, rawText } from "./scripted-target/tree.ts";
import { haveSshd, startSshd } from "./start-sshd.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const signal = new AbortController().signal;
const mtime = 1_800_000_000;
const links = {
  good: "../files/a.txt",
  dangling: "nowhere",
  out: "/etc",
  up: "../..",
  loop: "loop",
  dir: "../files",
};

async function arrangeScripted(extensions?: Readonly<Record<string, string>>): Promise<ContractTarget> {
  const files = plainNames.map(
    (name) => [rawText(name), file(name === "empty" ? 0 : 5, { mode: 0o640, mtime })] as const,
  );
  const base = directory({
    empty: directory({}),
    // Not in order, as a target may send them.
    files: directory([...files.toReversed(), ["caf\xe9", file(1)]]),
    links: directory(Object.fromEntries(Object.entries(links).map(([name, to]) => [name, link(to)]))),
    many: directory(Object.fromEntries(manyNames.toReversed().map((name) => [name, file(0)]))),
    pipe: fifo(),
  });
  const root = directory({
    etc: directory({ passwd: file(9) }),
    srv: directory({ base, basebeside: directory({ x: file(1) }) }),
  });
  const target = await startScriptedTarget({ root, ...(extensions && { extensions }) });
  const { pool, close } = await openPool(
    { targets: { tb: describeScripted(target, { read_roots: ["/srv/base"], write_roots: ["/srv/base"] }) } },
    { env: { PASSWORD: target.password } },
  );
  return {
    base: "/srv/base",
    replaces: extensions !== undefined,
    open: () => pool.open("tb", signal),
    close: async () => {
      await close();
      await target.close();
    },
  };
}

async function arrangeSshd(): Promise<ContractTarget> {
  const { folder, remove } = await temporaryFolder();
  const base = path.join(folder, "base");
  const make = (name: string): Promise<string | undefined> =>
    mkdir(path.join(base, name), { recursive: true });
  await Promise.all(["empty", "files", "links", "many"].map(make));
  for (const name of plainNames) {
    const place = path.join(base, "files", name);
    await writeFile(place, name === "empty" ? "" : "12345", { mode: 0o640 });
    await utimes(place, mtime, mtime);
  }
  await writeFile(Buffer.concat([Buffer.from(path.join(base, "files/caf")), Buffer.of(0xe9)]), "1");
  for (const [name, to] of Object.entries(links)) await symlink(to, path.join(base, "links", name));
  await Promise.all(manyNames.map((name) => writeFile(path.join(base, "many", name), "")));
  await promisify(execFile)("mkfifo", [path.join(base, "pipe")]);
  const sshd = await startSshd();
  const { host, port, user, userKey, fingerprints } = sshd;
  const target = {
    host,
    port,
    user,
    identity_file: userKey,
    host_key: fingerprints.ed25519,
    read_roots: [base],
    write_roots: [base],
  };
  const { pool, close } = await openPool({ targets: { tb: target } });
  return {
    base,
    replaces: true,
    open: () => pool.open("tb", signal),
    close: async () => {
      await close();
      await sshd.stop();
      await remove();
    },
  };
}

const extensions = { "posix-rename@openssh.com": "1", "fsync@openssh.com": "1" };
describeRemoteFiles("the scripted target", () => arrangeScripted());
describeRemoteFiles("the scripted target with extensions", () => arrangeScripted(extensions));

describe.skipIf(!haveSshd(process))("with OpenSSH", () => {
  describeRemoteFiles("OpenSSH's sshd", arrangeSshd);
});
