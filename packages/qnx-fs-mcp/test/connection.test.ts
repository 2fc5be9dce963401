import { createConnection, createServer, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { describePath } from "../src/domain/describe-path.ts";
import { isQnxFsError } from "../src/domain/errors.ts";
import type { OpenTarget } from "../src/domain/targets.ts";
import { describeFailure } from "../src/tools/failures.ts";
import { describeScripted, openPool, type PoolOptions, type TestPool } from "./open-pool.ts";
import { makeKey } from "./scripted-target/make-key.ts";
import {
  type ScriptedTarget,
  type ScriptedTargetOptions,
  startScriptedTarget,
} from "./scripted-target/start-scripted-target.ts";

const signal = new AbortController().signal;
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function start(options: ScriptedTargetOptions = {}): Promise<ScriptedTarget> {
  const target = await startScriptedTarget(options);
  ends.push(target.close);
  return target;
}

async function pool(configuration: object, options: PoolOptions = {}): Promise<TestPool> {
  const opened = await openPool(configuration, { env: { PASSWORD: "correct horse" }, ...options });
  ends.push(opened.close);
  return opened;
}

/** Opens one scripted target; gives it and the pool. */
async function open(
  scripted: ScriptedTargetOptions,
  settings: object = {},
  options: PoolOptions = {},
): Promise<{ target: ScriptedTarget; place: OpenTarget; pool: TestPool["pool"] }> {
  const target = await start(scripted);
  const { pool: opened } = await pool({ targets: { tb: describeScripted(target, settings) } }, options);
  return { target, place: await opened.open("tb", signal), pool: opened };
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

function told(error: unknown): string {
  if (!isQnxFsError(error)) throw error;
  const { code, message, next } = describeFailure(error);
  return `${code}: ${message}. ${next}`;
}

/** A server that does to each connection what `act` does. */
async function listen(act: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<{ destroy(): void }>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    act(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  ends.push(
    () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  );
  return (server.address() as { port: number }).port;
}

describe("connecting", () => {
  test("a port that nothing listens on is told as unreachable", async () => {
    const target = await start();
    await target.close();
    const { pool: opened } = await pool({ targets: { tb: describeScripted(target) } });
    const error = await failureOf(opened.open("tb", signal));
    expect(told(error)).toMatch(/^TARGET_UNREACHABLE: .*127\.0\.0\.1:\d+.*refused.* Try again/);
  });

  test("what is not an SSH server, and one that says nothing, is given up in time", async () => {
    const talks = await listen((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    const silent = await listen(() => {});
    const closes = await listen((socket) => socket.destroy());
    for (const [port, reason, limits] of [
      [talks, /./, {}],
      [silent, /did not end within/, { loginMs: 300 }],
      [closes, /closed/, {}],
    ] as const) {
      const { pool: opened } = await pool(
        { targets: { tb: { host: "127.0.0.1", port, user: "u", password_env: "PASSWORD" } } },
        { limits },
      );
      const error = await failureOf(opened.open("tb", signal));
      expect(error).toMatchObject({
        code: "HANDSHAKE_FAILED",
        details: { reason: expect.stringMatching(reason) },
      });
    }
  });

  test("algorithms without a match are told from both sides, with the setting that helps", async () => {
    const old = { algorithms: { kex: ["diffie-hellman-group14-sha1"] } };
    const target = await start(old);
    const { pool: opened } = await pool({ targets: { tb: describeScripted(target) } });
    const error = await failureOf(opened.open("tb", signal));
    expect(error).toMatchObject({
      code: "HANDSHAKE_FAILED",
      details: {
        kind: "algorithms",
        offer: {
          what: "key exchange",
          theirs: expect.arrayContaining(["diffie-hellman-group14-sha1"]),
          preset: "legacy",
        },
      },
    });
    expect(told(error)).toMatch(
      /curve25519-sha256.*diffie-hellman-group14-sha1.*algorithms: legacy.*targets\.tb/,
    );
    const { place } = await open(old, { algorithms: "legacy" });
    expect(place.facts.algorithms.kex).toBe("diffie-hellman-group14-sha1");
  });

  test("ssh-rsa and CBC are off by default and work with the setting", async () => {
    const old = {
      hostKeys: [makeKey("rsa")],
      algorithms: { serverHostKey: ["ssh-rsa"], cipher: ["aes128-cbc"], hmac: ["hmac-md5"] },
    };
    await expect(open(old)).rejects.toMatchObject({ code: "HANDSHAKE_FAILED" });
    const { place } = await open(old, { algorithms: "legacy" });
    expect(place.facts.algorithms).toMatchObject({
      hostKey: "ssh-rsa",
      cipher: "aes128-cbc",
      mac: "hmac-md5",
    });
  });

  test("lists of one's own take the place of a preset's", async () => {
    const { place } = await open({}, { algorithms: { mac: ["hmac-sha2-512"], cipher: ["aes256-ctr"] } });
    expect(place.facts.algorithms).toMatchObject({ mac: "hmac-sha2-512", cipher: "aes256-ctr" });
  });

  test("plain MACs come before etm ones by default", async () => {
    expect((await open({})).place.facts.algorithms.mac).toBe("hmac-sha2-256");
  });

  test("a cipher that needs no MAC comes first where the target has one", async () => {
    const cipher = ["aes128-ctr", "aes128-gcm@openssh.com"];
    const { place } = await open({ algorithms: { cipher } });
    expect(place.facts.algorithms).toMatchObject({ cipher: "aes128-gcm@openssh.com", mac: "implicit" });
  });

  test.each([
    ["none", /refused/],
    ["crash", /exit code 127.*not found/],
    ["silent", /no answer/],
  ] as const)("a target whose SFTP is %s is told where to look", async (sftp, reason) => {
    const limits = sftp === "silent" ? { subsystemMs: 500 } : {};
    const error = await failureOf(open({ sftp }, {}, { limits }));
    expect(error).toMatchObject({ code: "SFTP_MISSING", details: { reason: expect.stringMatching(reason) } });
    expect(told(error)).toMatch(/sftp_server under targets\.tb .*\/system\/bin\/sftp-server/);
  });

  test("the program that sftp_server names is run when the subsystem is missing", async () => {
    const { place } = await open(
      { sftp: "/system/bin/sftp-server" },
      { sftp_server: "/system/bin/sftp-server" },
    );
    expect(place.facts.sftpByExec).toBe(true);
    expect((await describePath(place, "/etc/hosts", signal)).entry.size).toBe(74);
    await expect(open({ sftp: "none" }, { sftp_server: "/usr/libexec/sftp-server" })).rejects.toMatchObject({
      code: "SFTP_MISSING",
      details: { tried: ["the sftp subsystem", "/usr/libexec/sftp-server"] },
    });
  });

  test("calls at the same time share one connection", async () => {
    const target = await start();
    const { pool: opened } = await pool({ targets: { tb: describeScripted(target) } });
    const places = await Promise.all(Array.from({ length: 20 }, () => opened.open("tb", signal)));
    expect(new Set(places).size).toBe(1);
    expect(target.logins()).toBe(1);
  });

  test("one caller's cancelling leaves the connection to the others", async () => {
    const target = await start();
    const { pool: opened } = await pool({ targets: { tb: describeScripted(target) } });
    const controller = new AbortController();
    const reason = new Error("enough");
    const first = failureOf(opened.open("tb", controller.signal));
    const second = opened.open("tb", signal);
    controller.abort(reason);
    expect(await first).toBe(reason);
    expect((await second).target).toBe("tb");
    expect(target.logins()).toBe(1);
  });
});

describe("jumps", () => {
  test("a target is reached through a chain, each machine checked", async () => {
    const target = await start();
    const inner = await start({ forwards: true, sftp: "none" });
    const outer = await start({ forwards: true, sftp: "none" });
    const configuration = (innerKey: string): object => ({
      targets: { tb: describeScripted(target, { jump: "inner" }) },
      jumps: {
        outer: describeScripted(outer),
        inner: describeScripted(inner, { jump: "outer", host_key: innerKey }),
      },
    });
    const good = await pool(configuration(inner.hostKeyFingerprint));
    const place = await good.pool.open("tb", signal);
    expect((await describePath(place, "/etc/hosts", signal)).entry.type).toBe("file");
    expect([outer.logins(), inner.logins(), target.logins()]).toEqual([1, 1, 1]);
    const bad = await pool(configuration(target.hostKeyFingerprint));
    const error = await failureOf(bad.pool.open("tb", signal));
    expect(error).toMatchObject({
      code: "HOST_KEY_CHANGED",
      details: { target: "tb", setting: "jumps.inner", endpoint: expect.stringContaining("(jump inner)") },
    });
    expect([inner.logins(), target.logins()]).toEqual([1, 1]);
  });

  test("a target that the jump cannot reach is told so", async () => {
    const target = await start();
    await target.close();
    const bastion = await start({ forwards: true });
    const { pool: opened } = await pool({
      targets: { tb: describeScripted(target, { jump: "bastion" }) },
      jumps: { bastion: describeScripted(bastion) },
    });
    const error = await failureOf(opened.open("tb", signal));
    expect(told(error)).toMatch(/^TARGET_UNREACHABLE: .*the jump before it could not reach it/);
  });
});

describe("a connection in use", () => {
  test("that drops in the middle of an answer rejects all that is under way, and the next call opens anew", async () => {
    let drop = true;
    const {
      target,
      place,
      pool: opened,
    } = await open({
      behave: (request) => (request === "READDIR" && drop ? "drop" : "answer"),
    });
    const reads = Array.from({ length: 5 }, () => failureOf(place.files.lstat("/etc", signal)));
    const list = failureOf(
      (async () => {
        for await (const batch of place.files.readDirectory("/etc", signal)) expect(batch).toBeDefined();
      })(),
    );
    expect(await list).toMatchObject({ code: "CONNECTION_LOST" });
    await Promise.all(reads);
    expect(await failureOf(place.files.lstat("/etc", signal))).toMatchObject({ code: "CONNECTION_LOST" });
    drop = false;
    const again = await opened.open("tb", signal);
    expect((await describePath(again, "/etc/hosts", signal)).entry.type).toBe("file");
    expect(target.logins()).toBe(2);
  });

  test("survives a reboot of the target by connecting again", async () => {
    const { target, place, pool: opened } = await open({});
    const waiting = failureOf(place.files.lstat("/etc", signal));
    target.drop();
    expect([undefined, "CONNECTION_LOST"]).toContain(
      (await waiting) && ((await waiting) as { code: string }).code,
    );
    await expect
      .poll(() => failureOf(place.files.lstat("/etc", signal)))
      .toMatchObject({ code: "CONNECTION_LOST" });
    expect((await opened.open("tb", signal)).target).toBe("tb");
    expect(target.logins()).toBe(2);
  });

  test("gives up a channel whose request hangs, opens another, and after a few reconnects", async () => {
    const hanging = (_request: string, path: string): "pause" | "answer" =>
      path === "/hang" ? "pause" : "answer";
    const {
      target,
      place,
      pool: opened,
    } = await open({ behave: hanging }, {}, { limits: { requestMs: 400 } });
    for (let round = 1; round <= 4; round++) {
      expect(await failureOf(place.files.lstat("/hang", signal)), `round ${round}`).toMatchObject({
        code: "CONNECTION_LOST",
        details: { step: "LSTAT", reason: expect.stringContaining("no answer") },
      });
      if (round <= 3) expect((await place.files.lstat("/etc", signal)).mode).toBeDefined();
    }
    expect(target.openSessions()).toBe(1);
    expect(target.logins()).toBe(1);
    expect(await failureOf(place.files.lstat("/etc", signal))).toMatchObject({ code: "CONNECTION_LOST" });
    const again = await opened.open("tb", signal);
    expect((await again.files.lstat("/etc", signal)).mode).toBeDefined();
    expect(target.logins()).toBe(2);
  });

  test("keeps to one channel over many calls, so that a limit on sessions never matters", async () => {
    const { target, pool: opened } = await open({ maxSessions: 1 });
    for (let call = 0; call < 25; call++) {
      const place = await opened.open("tb", signal);
      await failureOf(describePath(place, call % 2 ? "/etc/hosts" : "/missing", signal));
    }
    expect({ logins: target.logins(), sessions: target.openSessions() }).toEqual({ logins: 1, sessions: 1 });
  });

  test("is told as dead when keepalives are not answered", async () => {
    const target = await start();
    const sockets: Socket[] = [];
    const port = await listen((socket) => {
      const onward = createConnection(target.port, "127.0.0.1").on("error", () => {});
      sockets.push(socket, onward);
      socket.pipe(onward).pipe(socket);
    });
    const { pool: opened } = await pool(
      { targets: { tb: describeScripted(target, { port }) } },
      { limits: { keepaliveMs: 150, keepalives: 2 } },
    );
    const place = await opened.open("tb", signal);
    // The line goes dead: nothing passes any more, and nobody closes.
    for (const socket of sockets) socket.unpipe().pause();
    const error = await failureOf(place.files.lstat("/etc", signal));
    expect(error).toMatchObject({
      code: "CONNECTION_LOST",
      details: { reason: expect.stringContaining("keepalive") },
    });
  });

  test("closes after a time without use and opens again when it is used", async () => {
    const { target, place, pool: opened } = await open({}, {}, { limits: { idleMs: 50 } });
    await expect.poll(async () => (await opened.allowed()).targets[0]?.connection.state).toBe("closed");
    expect(await failureOf(place.files.lstat("/etc", signal))).toMatchObject({ code: "CONNECTION_LOST" });
    expect((await opened.open("tb", signal)).target).toBe("tb");
    expect(target.logins()).toBe(2);
  });

  test("passes on a vague refusal with what was asked and its likely causes", async () => {
    const { place } = await open({});
    expect(await failureOf(place.files.readLink("/etc", signal))).toMatchObject({
      code: "REFUSED_BY_TARGET",
      details: { operation: "READLINK", reply: "Failure" },
    });
  });
});

describe("the configuration", () => {
  test("is read again when it changed: targets come, change and go", async () => {
    const target = await start();
    const { pool: opened, configure } = await pool({ targets: { tb: describeScripted(target) } });
    const place = await opened.open("tb", signal);
    await configure({
      targets: { tb: describeScripted(target, { read_roots: ["/etc"] }), other: describeScripted(target) },
    });
    const again = await opened.open("tb", signal);
    expect(again.roots.configured).toEqual(["/etc"]);
    expect(await failureOf(place.files.lstat("/etc", signal))).toMatchObject({ code: "CONNECTION_LOST" });
    expect((await opened.allowed()).targets.map(({ target: { name } }) => name)).toEqual(["tb", "other"]);
    await configure({ targets: { other: describeScripted(target) } });
    await expect(opened.open("tb", signal)).rejects.toMatchObject({
      code: "TARGET_NOT_ALLOWED",
      details: { allowed: ["other"] },
    });
  });

  test("that became wrong allows nothing until it is corrected", async () => {
    const target = await start();
    const { pool: opened, configure } = await pool({ targets: { tb: describeScripted(target) } });
    await opened.open("tb", signal);
    await configure({ targets: { tb: { ...describeScripted(target), hots: "x" } } });
    const error = await failureOf(opened.open("tb", signal));
    expect(told(error)).toMatch(
      /^TARGET_NOT_ALLOWED: .*config\.yaml:\d+: targets\.tb\.hots: unknown key.* Try again/,
    );
    await configure({ targets: { tb: describeScripted(target) } });
    expect((await opened.open("tb", signal)).target).toBe("tb");
  });

  test("and --allow decide together", async () => {
    const target = await start();
    const { pool: opened } = await pool(
      { targets: { tb: describeScripted(target), rig: describeScripted(target) } },
      { allows: (name) => name === "rig" },
    );
    await expect(opened.open("tb", signal)).rejects.toMatchObject({
      code: "TARGET_NOT_ALLOWED",
      details: { allowed: ["rig"] },
    });
    expect(await opened.allowed()).toMatchObject({ notAllowed: 1, targets: [{ target: { name: "rig" } }] });
  });
});
