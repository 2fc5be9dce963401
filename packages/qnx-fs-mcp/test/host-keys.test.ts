import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeScripted, openPool, type PoolOptions } from "./open-pool.ts";
import { publicKeyOf } from "./scripted-target/authenticate.ts";
import { makeKey } from "./scripted-target/make-key.ts";
import { type ScriptedTarget, startScriptedTarget } from "./scripted-target/start-scripted-target.ts";
import { haveSshd, type Sshd, startSshd } from "./start-sshd.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const signal = new AbortController().signal;

describe("host keys", () => {
  let target: ScriptedTarget;
  beforeAll(async () => {
    target = await startScriptedTarget();
  });
  afterAll(() => target.close());

  /** Opens the target with these settings in place of the pin; gives what became of it and the pins file. */
  async function attempt(settings: object, options: PoolOptions = {}) {
    const { host_key: _pin, ...bare } = describeScripted(target) as { host_key: string };
    const { pool, folder, close } = await openPool(
      { targets: { tb: { ...bare, ...settings } } },
      { env: { PASSWORD: target.password }, ...options },
    );
    const logins = target.logins();
    const error = await pool.open("tb", signal).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    const pins = await readFile(path.join(folder, "pins"), "utf8").catch(() => "");
    await close();
    return { error, pins, loggedIn: target.logins() > logins };
  }

  test("an unknown one is refused before anything is sent, and its fingerprint told", async () => {
    const { error, loggedIn, pins } = await attempt({});
    expect(error).toMatchObject({
      code: "HOST_KEY_UNKNOWN",
      details: { type: "ssh-ed25519", fingerprint: target.hostKeyFingerprint, setting: "targets.tb" },
    });
    expect({ loggedIn, pins }).toEqual({ loggedIn: false, pins: "" });
  });

  test.each([
    ["the configuration's pin", () => ({ host_key: target.hostKeyFingerprint }), () => ({})],
    ["the user's known_hosts", () => ({}), () => ({ knownHosts: `${target.knownHostsLine}\n` })],
    ["a pin of this server's own", () => ({}), () => ({ pins: `${target.knownHostsLine}\n` })],
  ])("a key is accepted by %s", async (_what, settings, options) => {
    expect((await attempt(settings(), options())).error).toBeUndefined();
  });

  test("own pins come before the user's known_hosts", async () => {
    const stale = `[127.0.0.1]:${target.port} ${publicLine(makeKey())}\n`;
    const { error } = await attempt({}, { pins: stale, knownHosts: `${target.knownHostsLine}\n` });
    expect(error).toMatchObject({ code: "HOST_KEY_CHANGED" });
  });

  test("another one than the known one is refused, with both fingerprints", async () => {
    const { error, loggedIn } = await attempt({ host_key: `SHA256:${"A".repeat(43)}` });
    expect(error).toMatchObject({
      code: "HOST_KEY_CHANGED",
      details: {
        expected: [{ fingerprint: `SHA256:${"A".repeat(43)}`, source: "targets.tb.host_key" }],
        presented: [{ type: "ssh-ed25519", fingerprint: target.hostKeyFingerprint }],
      },
    });
    expect(loggedIn).toBe(false);
  });

  test("a key of another type than the known one counts as changed, also with first_use", async () => {
    const other = `[127.0.0.1]:${target.port} ${publicLine(makeKey("rsa"))}\n`;
    const { error, pins } = await attempt({ first_use: true }, { knownHosts: other });
    expect(error).toMatchObject({ code: "HOST_KEY_CHANGED", details: { expected: [{ type: "ssh-rsa" }] } });
    expect(pins).toBe("");
  });

  test("a file of known keys that cannot be read is told, not passed over", async () => {
    const { host_key: _pin, ...bare } = describeScripted(target) as { host_key: string };
    const { pool, folder, close } = await openPool(
      { targets: { tb: bare } },
      { env: { PASSWORD: target.password } },
    );
    await mkdir(path.join(folder, "known_hosts"));
    await expect(pool.open("tb", signal)).rejects.toMatchObject({
      code: "TARGET_UNREACHABLE",
      details: { step: "settings", reason: expect.stringContaining("known host keys") },
    });
    await close();
  });

  test("a revoked one is refused whatever else is known", async () => {
    const { error } = await attempt(
      { host_key: target.hostKeyFingerprint },
      { knownHosts: `@revoked * ${target.knownHostsLine.split(" ").slice(1).join(" ")}\n` },
    );
    expect(error).toMatchObject({
      code: "HOST_KEY_CHANGED",
      details: { revokedIn: expect.stringContaining("line 1") },
    });
  });

  test("a certificate authority is reported as not supported", async () => {
    const { error } = await attempt({}, { knownHosts: `@cert-authority * ${publicLine(makeKey())}\n` });
    expect(error).toMatchObject({
      code: "HOST_KEY_UNKNOWN",
      details: { authority: expect.stringContaining("line 1") },
    });
  });

  test("first_use keeps no key whose holder did not prove to hold it", async () => {
    const impostor = await startScriptedTarget({ hostKeys: [forgedKey()] });
    const { host, port, user } = impostor;
    const { error, pins } = await attempt({ host, port, user, first_use: true });
    await impostor.close();
    expect(error).toMatchObject({ code: "HANDSHAKE_FAILED" });
    expect(pins).toBe("");
  });

  test("first_use pins the first key seen, in the state directory alone, and holds to it", async () => {
    const first = await attempt({ first_use: true });
    expect(first).toMatchObject({ error: undefined, pins: `${target.knownHostsLine}\n` });
    const { port } = target;
    await target.close();
    target = await startScriptedTarget({ port });
    const second = await attempt({ first_use: true }, { pins: first.pins });
    expect(second.error).toMatchObject({ code: "HOST_KEY_CHANGED" });
  });
});

describe.skipIf(!haveSshd(process))("host keys of OpenSSH", () => {
  let sshd: Sshd;
  beforeAll(async () => {
    sshd = await startSshd();
  });
  afterAll(() => sshd.stop());

  async function open(settings: object, options: PoolOptions = {}) {
    const { host, port, user, userKey } = sshd;
    const { pool, close } = await openPool(
      { targets: { tb: { host, port, user, identity_file: userKey, ...settings } } },
      options,
    );
    try {
      return (await pool.open("tb", signal)).facts.algorithms.hostKey;
    } finally {
      await close();
    }
  }

  test("a bare pin of either key is found, whichever is offered first", async () => {
    expect(await open({ host_key: sshd.fingerprints.ed25519 })).toBe("ssh-ed25519");
    expect(await open({ host_key: sshd.fingerprints.rsa })).toMatch(/^rsa-sha2-/);
  });

  test("the type that is known is asked for first", async () => {
    expect(await open({}, { knownHosts: `[127.0.0.1]:${sshd.port} ${sshd.publicKeys.rsa}\n` })).toMatch(
      /^rsa-sha2-/,
    );
  });

  test("a pin of none of its keys is told with all of them", async () => {
    await expect(open({ host_key: `SHA256:${"A".repeat(43)}` })).rejects.toMatchObject({
      code: "HOST_KEY_CHANGED",
      details: {
        presented: [
          { type: "ssh-ed25519", fingerprint: sshd.fingerprints.ed25519 },
          { type: "ssh-rsa", fingerprint: sshd.fingerprints.rsa },
        ],
      },
    });
  });

  test("a known_hosts file that ssh-keygen hashed is read", async () => {
    const { folder, remove } = await temporaryFolder();
    const file = path.join(folder, "known_hosts");
    await writeFile(
      file,
      `[127.0.0.1]:${sshd.port} ${sshd.publicKeys.ed25519}\nother.example ${sshd.publicKeys.rsa}\n`,
    );
    await promisify(execFile)("ssh-keygen", ["-H", "-f", file]);
    const hashed = await readFile(file, "utf8");
    await remove();
    expect(hashed).toMatch(/^\|1\|/);
    expect(await open({}, { knownHosts: hashed })).toBe("ssh-ed25519");
    const elsewhere = await startSshd();
    await expect(
      (async () => {
        const { host, port, user, userKey } = elsewhere;
        const { pool, close } = await openPool(
          { targets: { tb: { host, port, user, identity_file: userKey } } },
          { knownHosts: hashed },
        );
        await pool.open("tb", signal).finally(close);
      })(),
    ).rejects.toMatchObject({ code: "HOST_KEY_UNKNOWN" });
    await elsewhere.stop();
  });
});

/** The public half of an OpenSSH private key, as `type base64`. */
function publicLine(privateKey: string): string {
  const { type, blob } = publicKeyOf(privateKey);
  return `${type} ${blob.toString("base64")}`;
}

/** A private key whose public half is another key's: its signatures verify with neither. */
function forgedKey(): string {
  const own = Buffer.from(makeKey().split("\n").slice(1, -2).join(""), "base64");
  const half = (container: Buffer): Buffer => container.subarray(62, 94);
  const other = half(Buffer.from(makeKey().split("\n").slice(1, -2).join(""), "base64"));
  const mine = Buffer.from(half(own));
  for (let at = own.indexOf(mine); at >= 0; at = own.indexOf(mine, at + 1)) other.copy(own, at);
  const lines = own.toString("base64").match(/.{1,70}/g) ?? [];
  return ["-----BEGIN OPENSSH PRIVATE KEY-----", ...lines, "-----END OPENSSH PRIVATE KEY-----", ""].join(
    "\n",
  );
}
