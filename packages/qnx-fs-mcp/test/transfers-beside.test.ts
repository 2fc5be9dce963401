import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startRawServer } from "@mcp-file-servers/core/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LocalFolder } from "../src/adapters/local/local-folder.ts";
import type { OpenTarget } from "../src/domain/targets.ts";
import { getFile } from "../src/domain/transfers/get-file.ts";
import { putFile } from "../src/domain/transfers/put-file.ts";
import { fileSource } from "../src/domain/transfers/put-source.ts";
import { openPool, type TestPool } from "./open-pool.ts";
import { haveSshd, type Sshd, startSshd } from "./start-sshd.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const bin = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const mebibyte = 1024 * 1024;
const signal = new AbortController().signal;
/** What may be under way at most when a request is sent, and what may be answered at once with it. */
const inBetween = 2 * 8 * mebibyte;
const size = 64 * mebibyte;

describe.skipIf(!haveSshd(process))("a transfer on OpenSSH", () => {
  let sshd: Sshd;
  let tested: TestPool;
  let target: OpenTarget;
  let local: LocalFolder;
  let at: (...names: string[]) => string;
  let remove: () => Promise<void>;
  let tb: object;

  beforeAll(async () => {
    const temporary = await temporaryFolder();
    remove = temporary.remove;
    at = (...names) => path.join(temporary.folder, ...names);
    await Promise.all(["far", "near"].map((name) => mkdir(at(name))));
    for (const side of ["far", "near"]) {
      const file = await open(at(side, "large"), "w");
      await file.truncate(size);
      await file.close();
    }
    sshd = await startSshd();
    const { host, port, user, userKey, fingerprints } = sshd;
    const login = { host, port, user, identity_file: userKey, host_key: fingerprints.ed25519 };
    tb = { ...login, read_roots: [at("far")], write_roots: [at("far")] };
    tested = await openPool({ targets: { tb } });
    target = await tested.pool.open("tb", signal);
    const near = at("near");
    local = new LocalFolder({ roots: async () => [near], own: near, home: near, platform: process.platform });
  });
  afterAll(async () => {
    await tested?.close();
    await sshd?.stop();
    await remove?.();
  });

  /** Asks for a file's attributes again and again while a transfer runs; what it had done at each answer. */
  function askBeside() {
    let done = 0;
    let over = false;
    let asking: Promise<void> | undefined;
    const answered: number[] = [];
    const longest = { between: 0 };
    const ask = async (): Promise<void> => {
      while (!over) {
        const before = done;
        await target.files.lstat(at("far"), signal);
        answered.push(done);
        longest.between = Math.max(longest.between, done - before);
      }
    };
    return {
      answered,
      longest,
      progress: (now: number) => {
        done = now;
        asking ??= ask();
      },
      end: async () => {
        over = true;
        await asking;
      },
    };
  }

  test("lets a small request past after what is under way, in a get", async () => {
    const beside = askBeside();
    const request = {
      remotePath: at("far", "large"),
      localPath: at("near", "copy"),
      overwrite: true,
      most: size,
      resume: false,
      verify: false,
      allowGrowing: false,
    };
    await getFile(target, local, request, () => "00000001", beside.progress, signal);
    await beside.end();
    expect(beside.longest.between).toBeLessThanOrEqual(inBetween);
    expect(beside.answered.filter((done) => done < size).length).toBeGreaterThanOrEqual(size / inBetween - 1);
  });

  test("lets a small request past after what is under way, in a put", async () => {
    const beside = askBeside();
    const request = { remotePath: at("far", "copy"), mode: 0o644, overwrite: true, verify: false };
    await putFile(
      target,
      await fileSource(local, at("near", "large")),
      request,
      {
        newId: () => "00000002",
        reopen: () => tested.pool.open("tb", signal),
        sleep: async () => {},
        progress: beside.progress,
      },
      signal,
    );
    await beside.end();
    expect(beside.longest.between).toBeLessThanOrEqual(inBetween);
    expect(beside.answered.filter((done) => done < size).length).toBeGreaterThanOrEqual(size / inBetween - 1);
  });

  test("tells how far it is, rising to the whole, and only who asked", async () => {
    const bytes = randomBytes(3 * mebibyte + 17);
    await writeFile(at("far", "some"), bytes);
    await writeFile(at("config.yaml"), JSON.stringify({ targets: { tb }, local_roots: [at("near")] }));
    const env = { HOME: at("near"), PATH: process.env.PATH ?? "" };
    const server = startRawServer({
      bin,
      args: ["--config", at("config.yaml")],
      env,
      node: process.execPath,
    });
    await server.initialize();
    const get = { target: "tb", remote_path: at("far", "some"), local_path: at("near", "some") };
    const put = { target: "tb", remote_path: at("far", "put"), local_path: at("near", "some") };
    const calls = [
      ["file_get", get],
      ["file_put", put],
    ] as const;
    for (const [name, given] of calls) {
      for (const token of [undefined, `of ${name}`]) {
        const params = { name, arguments: { ...given, overwrite: true } };
        await server.request("tools/call", token ? { ...params, _meta: { progressToken: token } } : params);
      }
    }
    server.endInput();
    await server.exited;
    const told = server.lines
      .map((line) => JSON.parse(line))
      .filter(({ method }) => method === "notifications/progress")
      .map(({ params }) => params as { progressToken: string; progress: number; total: number });
    for (const [name] of calls) {
      const mine = told.filter(({ progressToken }) => progressToken === `of ${name}`);
      const rising = mine.map(({ progress }) => progress);
      expect(rising, name).toEqual([...new Set(rising)].sort((a, b) => a - b));
      expect(mine.at(-1), name).toMatchObject({ progress: bytes.length, total: bytes.length });
    }
    expect(new Set(told.map(({ progressToken }) => progressToken)).size).toBe(calls.length);
    expect((await readFile(at("far", "put"))).equals(bytes)).toBe(true);
  });
});
