import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openProcessLock, SqliteError } from "../src/index.ts";
import { systemClock } from "../src/retry.ts";
import { bundleScript } from "../src/testing/index.ts";
import { engines } from "./engines.ts";

let scripts: string;
let holder: string;
let folder: string;
let path: string;

beforeAll(async () => {
  scripts = await mkdtemp(join(tmpdir(), "sqlite-lock-scripts-"));
  holder = await bundleScript(new URL("children/lock-holder.ts", import.meta.url), scripts);
});

afterAll(() => rm(scripts, { recursive: true }));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sqlite-lock-"));
  path = join(folder, "lock.db");
});

afterEach(() => rm(folder, { recursive: true }));

/** A clock whose every wait makes half a minute pass. */
const hasty = () => {
  let now = 0;
  return {
    ...systemClock,
    now: () => now,
    wait: async () => {
      now += 31_000;
    },
  };
};

describe.each(engines)("a process lock on %s", (engine) => {
  test("is held by one at a time, in the same process too", async () => {
    const first = await openProcessLock(path, { engine });
    const second = await openProcessLock(path, { engine });
    const release = await first.take();
    const order: string[] = [];
    const waiting = second.take().then((free) => {
      order.push("second");
      free();
    });
    order.push("first");
    release();
    await waiting;
    expect(order).toEqual(["first", "second"]);
    const again = await first.take();
    // Giving back twice gives back nothing of who has it now.
    release();
    await expect((await openProcessLock(path, { engine, clock: hasty() })).take()).rejects.toMatchObject({
      code: "BUSY",
    });
    again();
    const last = await first.take();
    first.close();
    first.close();
    last();
    (await second.take())();
    second.close();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test("refuses after the limit and when the signal is aborted", async () => {
    const first = await openProcessLock(path, { engine });
    await first.take();
    const second = await openProcessLock(path, { engine, clock: hasty() });
    await expect(second.take()).rejects.toMatchObject({ name: "SqliteError", code: "BUSY" });
    await expect(second.take(AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
    first.close();
    (await second.take())();
    second.close();
  });

  test("is freed by the system when its holder is killed", async () => {
    const child = spawn(process.execPath, [holder, path, engine], { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    const refused = await openProcessLock(path, { engine, clock: hasty() });
    await expect(refused.take()).rejects.toBeInstanceOf(SqliteError);
    const waiting = await openProcessLock(path, { engine });
    const taken = waiting.take();
    child.kill("SIGKILL");
    (await taken)();
    refused.close();
    waiting.close();
  });
});
