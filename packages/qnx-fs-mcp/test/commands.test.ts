import { spawn } from "node:child_process";
import { readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { parseConfigText } from "../src/adapters/config/parse-config-text.ts";
import { exampleConfig } from "../src/commands/example-config.ts";
import { describeScripted } from "./open-pool.ts";
import { makeKey } from "./scripted-target/make-key.ts";
import {
  type ScriptedTarget,
  type ScriptedTargetOptions,
  startScriptedTarget,
} from "./scripted-target/start-scripted-target.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const bin = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function target(options: ScriptedTargetOptions = {}): Promise<ScriptedTarget> {
  const started = await startScriptedTarget(options);
  ends.push(started.close);
  return started;
}

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A bench with a configuration, and the built server's commands in it. */
async function arrange(configuration: object | undefined) {
  const { folder, remove } = await temporaryFolder();
  ends.push(remove);
  const file = (name: string): string => path.join(folder, name);
  if (configuration !== undefined) await writeFile(file("config.yaml"), stringify(configuration));
  function run(args: readonly string[], input = ""): Promise<Ended> {
    const config = configuration === undefined ? [] : ["--config", file("config.yaml")];
    const child = spawn(process.execPath, [bin, ...args, ...config], {
      env: {
        HOME: folder,
        PASSWORD: "correct horse",
        QNX_FS_STATE: file("state"),
        PATH: process.env.PATH ?? "",
      },
    });
    const said = { out: "", err: "" };
    child.stdout.on("data", (chunk) => {
      said.out += chunk;
    });
    child.stderr.on("data", (chunk) => {
      said.err += chunk;
    });
    child.stdin.end(input);
    return new Promise((resolve) => child.once("close", (code) => resolve({ code, ...said })));
  }
  return { run, file, pins: () => readFile(file("state/known_hosts"), "utf8") };
}

describe("check", () => {
  test("goes through every step of a good target, and writes only when asked to", async () => {
    const tb = await target();
    const { run } = await arrange({ targets: { tb: describeScripted(tb, { write_roots: ["/data"] }) } });
    const { code, out } = await run(["check", "tb"]);
    expect(code, out).toBe(0);
    const steps = [...out.matchAll(/^ {2}ok {4}(.{10}) /gm)].map((found) => found[1]?.trim());
    expect(steps).toEqual([
      "settings",
      "name",
      "port",
      "banner",
      "algorithms",
      "host key",
      "login",
      "SFTP",
      "root",
      "root",
    ]);
    expect(out).toContain("SSH-2.0-OpenSSH_9.9 QNX_Secure_Shell-20260101");
    expect(out).not.toContain("correct horse");
    expect(tb.requests().some((said) => said.startsWith("OPEN "))).toBe(false);
    const written = await run(["check", "--write"]);
    expect(written.out).toMatch(/ok {4}write {6} a file in \/data was written, read back and removed/);
    expect(written.code).toBe(0);
    const opened = tb
      .requests()
      .filter((said) => said.startsWith("OPEN "))
      .map((said) => said.slice(5));
    expect(opened).toHaveLength(2);
    expect(tb.requests()).toContain(`REMOVE ${opened[0]}`);
  });

  test("names the step that fails and the remedy, for each target, and ends with 1", async () => {
    const tb = await target();
    const off = await target();
    await off.close();
    const none = await target({ sftp: "none" });
    const old = await target({ algorithms: { kex: ["diffie-hellman-group14-sha1"] } });
    const { run } = await arrange({
      targets: {
        "a-off": describeScripted(off),
        "b-name": { host: "no-such-host.invalid", user: "u", password_env: "PASSWORD" },
        "c-old": describeScripted(old),
        "d-key": describeScripted(tb, { host_key: undefined }),
        "e-login": describeScripted(tb, { user: "nobody" }),
        "f-variable": describeScripted(tb, { password_env: "NOT_SET" }),
        "g-sftp": describeScripted(none),
        "h-root": describeScripted(tb, { read_roots: ["/nowhere"] }),
        "i-write": describeScripted(tb, { write_roots: ["/data/var/ssh"] }),
      },
    });
    const { code, out } = await run(["check", "--write"]);
    expect(code).toBe(1);
    const failed = Object.fromEntries(
      out
        .split(/^(?=\S)/m)
        .map((part) => [part.split("\n")[0], / {2}FAIL {2}(.{10}) {2}(\w+): .*\n +→ (.+)/.exec(part)])
        .filter((entry): entry is [string, RegExpExecArray] => entry[1] !== null)
        .map(([name, found]) => [name, found.slice(1, 4).map((text) => text.trim())]),
    );
    expect(out).not.toContain("qnx-fs-mcp check");
    expect(failed).toEqual({
      "a-off": ["port", "TARGET_UNREACHABLE", expect.stringMatching(/^Try again/)],
      "b-name": ["name", "TARGET_UNREACHABLE", expect.stringMatching(/host/)],
      "c-old": ["algorithms", "HANDSHAKE_FAILED", expect.stringContaining("algorithms: legacy")],
      "d-key": ["host key", "HOST_KEY_UNKNOWN", expect.stringContaining("qnx-fs-mcp trust d-key")],
      "e-login": ["login", "AUTH_FAILED", expect.stringContaining("Check user")],
      "f-variable": ["login", "AUTH_FAILED", expect.stringContaining('"env": {"NOT_SET"')],
      "g-sftp": ["SFTP", "SFTP_MISSING", expect.stringContaining("sftp_server")],
      "h-root": ["root", "NOT_FOUND", expect.stringMatching(/^Have the roots in the configuration/)],
      "i-write": ["write", "PERMISSION_DENIED", expect.any(String)],
    });
    expect(out).toContain("9 of 9 targets need something.");
  });

  test("refuses a name that is no target, and says where a configuration goes", async () => {
    const { run } = await arrange({ targets: { tb: { host: "192.0.2.1", user: "u" } } });
    expect(await run(["check", "tx"])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/"tx" .*: tb\n/),
    });
    const bare = await arrange(undefined);
    expect(await bare.run(["check"])).toMatchObject({ code: 1, out: expect.stringContaining("config.yaml") });
  });

  test("prints an example that can be read", async () => {
    const { run } = await arrange(undefined);
    const { code, out } = await run(["check", "--example"]);
    expect([code, out]).toEqual([0, exampleConfig]);
    expect(typeof parseConfigText(out, "F")).toBe("object");
    // What is commented out is right as well.
    const all = out
      .replace(/^( *)# (?=[a-z_]+:| {2}bastion)/gm, "$1")
      .replace("SHA256:...", `SHA256:${"A".repeat(43)}`);
    expect(parseConfigText(all, "F")).toMatchObject({ localRoots: ["~/qnx"] });
  });
});

describe("check through jumps", () => {
  const steps = ["settings", "name", "port", "banner", "algorithms", "host key", "login"];
  const behind = steps.filter((step) => step !== "name");

  async function way(innerKey?: string) {
    const tb = await target();
    const [outer, inner] = await Promise.all([target({ forwards: true }), target({ forwards: true })]);
    const { run } = await arrange({
      targets: { tb: describeScripted(tb, { jump: "inner" }) },
      jumps: {
        outer: describeScripted(outer),
        inner: describeScripted(inner, { jump: "outer", ...(innerKey && { host_key: innerKey }) }),
      },
    });
    return { tb, inner, ...(await run(["check", "tb"])) };
  }

  test("goes through every step of each machine, and what is between", async () => {
    const { code, out } = await way();
    expect(code, out).toBe(0);
    const parts = out.split(/^ {2}(?=by jump|behind it)/m).slice(1);
    expect(parts.map((part) => part.split("\n")[0])).toEqual([
      "by jump outer",
      "by jump inner",
      "behind it tb",
    ]);
    const told = parts.map((part) =>
      [...part.matchAll(/^ {2}ok {4}(.{10}) /gm)].map((found) => found[1]?.trim()),
    );
    expect(told).toEqual([steps, behind, [...behind, "SFTP", "root"]]);
  });

  test("names the machine that fails, and knocks at none behind it", async () => {
    const { code, out, tb, inner } = await way(`SHA256:${"A".repeat(43)}`);
    expect(code).toBe(1);
    expect(out).toMatch(
      /by jump inner\n(?: {2}ok .*\n)* {2}FAIL {2}host key {4}HOST_KEY_CHANGED: .*\(jump inner\)/,
    );
    expect(out).toContain("qnx-fs-mcp trust inner");
    expect(out).not.toContain("behind it");
    expect([tb.logins(), inner.logins()]).toEqual([0, 0]);
  });
});

describe("trust", () => {
  const two = () => [makeKey("ed25519"), makeKey("ecdsa")];

  test("shows the host keys and pins them after a yes; then the target is used", async () => {
    const tb = await target({ hostKeys: two() });
    const { run, pins, file } = await arrange({
      targets: { tb: describeScripted(tb, { host_key: undefined }) },
    });
    for (const answer of ["no\n", "", "y\n"]) {
      const refused = await run(["trust", "tb"], answer);
      expect(refused, answer).toMatchObject({ code: 1, out: expect.stringContaining("Nothing was pinned.") });
    }
    await expect(pins()).rejects.toThrow();
    const { code, out } = await run(["trust", "tb"], "yes\n");
    expect(code, out).toBe(0);
    expect(out).toContain(`ssh-ed25519 ${tb.hostKeyFingerprint}  not known yet`);
    expect((await pins()).trim().split("\n")).toHaveLength(2);
    expect(await pins()).toContain(tb.knownHostsLine);
    expect((await stat(file("state/known_hosts"))).mode & 0o777).toBe(0o600);
    expect(tb.logins()).toBe(0);
    expect((await run(["check", "tb"])).code).toBe(0);
  });

  test("pins the key of a fingerprint without asking, and no other", async () => {
    const tb = await target({ hostKeys: two() });
    const { run, pins } = await arrange({ targets: { tb: describeScripted(tb, { host_key: undefined }) } });
    const wrong = `SHA256:${"A".repeat(43)}`;
    expect((await run(["trust", "tb", "--fingerprint", wrong])).code).toBe(1);
    expect((await run(["trust", "tb", "--fingerprint", "abc"])).code).toBe(2);
    await expect(pins()).rejects.toThrow();
    const { code } = await run(["trust", "tb", "--fingerprint", tb.hostKeyFingerprint]);
    expect(code).toBe(0);
    expect((await pins()).trim()).toBe(tb.knownHostsLine);
  });

  test("replaces what was pinned of a target whose keys are new, and nothing of others", async () => {
    const tb = await target();
    const { run, pins, file } = await arrange({
      targets: { tb: describeScripted(tb, { host_key: undefined }) },
    });
    const other = "other ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    await run(["trust", "tb"], "yes\n");
    const { port } = tb;
    await tb.close();
    const again = await target({ port });
    const before = await pins();
    const changed = await run(["check", "tb"]);
    expect(changed.out).toMatch(/FAIL {2}host key {4}HOST_KEY_CHANGED: .*\n.*qnx-fs-mcp trust tb/);
    expect(await pins()).toBe(before);
    await writeFile(file("state/known_hosts"), `${other}\n${before}`);
    const { out, code } = await run(["trust", "tb"], "yes\n");
    expect(out).toContain("NOT the known key");
    expect(code).toBe(0);
    expect((await pins()).trim().split("\n")).toEqual([other, again.knownHostsLine]);
  });

  test("pins the keys of a jump, and those of a target behind it", async () => {
    const bastion = await target({ forwards: true });
    const tb = await target();
    const { run, pins } = await arrange({
      targets: { tb: describeScripted(tb, { host_key: undefined, jump: "bastion" }) },
      jumps: { bastion: describeScripted(bastion, { host_key: undefined }) },
    });
    expect((await run(["check", "tb"])).out).toMatch(/HOST_KEY_UNKNOWN: .*\n.*qnx-fs-mcp trust bastion /);
    expect((await run(["trust", "tb"], "yes\n")).out).toMatch(/^HOST_KEY_UNKNOWN: .*jump bastion/);
    expect((await run(["trust", "bastion"], "yes\n")).code).toBe(0);
    expect((await run(["check", "tb"])).out).toMatch(/HOST_KEY_UNKNOWN: .*\n.*qnx-fs-mcp trust tb /);
    expect((await run(["trust", "tb"], "yes\n")).code).toBe(0);
    expect((await pins()).trim().split("\n")).toEqual([bastion.knownHostsLine, tb.knownHostsLine]);
    const { code, out } = await run(["check", "tb"]);
    expect(code, out).toBe(0);
  });

  test("says that host_key in the configuration comes first, and what there is to trust", async () => {
    const tb = await target();
    const { run } = await arrange({
      targets: { tb: describeScripted(tb, { host_key: `SHA256:${"A".repeat(43)}` }) },
    });
    const { code, out } = await run(["trust", "tb"], "yes\n");
    expect(code).toBe(1);
    expect(out).toMatch(/targets\.tb\.host_key names another key and comes first/);
    expect(await run(["trust", "tx"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("there are: tb"),
    });
  });
});
