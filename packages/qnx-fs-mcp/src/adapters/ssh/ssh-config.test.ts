import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Endpoint } from "../../domain/configuration.ts";
import { resolveEndpoint } from "./resolved-endpoint.ts";
import { parseSshSettings } from "./ssh-config.ts";

test("reads what ssh -G prints", () => {
  const output =
    "host tb\nuser q\nhostname 192.0.2.7\nport 2222\nidentityfile ~/.ssh/a b\nidentityfile ~/.ssh/c\nproxycommand none\nidentityagent none\n";
  expect(parseSshSettings(output)).toEqual({
    host: "192.0.2.7",
    port: 2222,
    user: "q",
    identityFiles: ["~/.ssh/a b", "~/.ssh/c"],
    hostKeyAlias: undefined,
    agent: undefined,
    proxyCommand: undefined,
    proxyJump: undefined,
  });
});

function haveSsh(): boolean {
  try {
    execFileSync("ssh", ["-V"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(!haveSsh())("with ssh's own -G", () => {
  let folder = "";
  let program = "";
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), "qnx-fs-"));
    program = path.join(folder, "ssh");
    writeFileSync(
      path.join(folder, "config"),
      "Host board\n  HostName 192.0.2.7\n  Port 2222\n  User q\n  IdentityFile ~/keys/board\n  HostKeyAlias Board-1\nHost proxied\n  ProxyCommand nc %h %p\nHost hop\n  ProxyJump bastion\n",
    );
    // The real ssh, reading this configuration in place of the user's.
    writeFileSync(program, `#!/bin/sh\nexec ssh -F ${path.join(folder, "config")} "$@"\n`, { mode: 0o755 });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const endpoint = (more: Partial<Endpoint>): Endpoint => ({
    name: "tb",
    host: "board",
    sshConfig: true,
    credentials: {},
    firstUse: false,
    algorithms: { preset: "qnx8", own: {} },
    ...more,
  });
  const resolve = (more: Partial<Endpoint> = {}) =>
    resolveEndpoint(endpoint(more), "tb", { home: "/home/me", sshProgram: program });

  test("an alias gives host, port, user, key and the name for known_hosts", async () => {
    expect(await resolve()).toMatchObject({
      host: "192.0.2.7",
      port: 2222,
      user: "q",
      knownName: "board-1",
      identityFiles: [{ file: "/home/me/keys/board", mustExist: false }],
    });
  });

  test("what the configuration says itself comes first", async () => {
    expect(await resolve({ user: "root", port: 22, credentials: { identityFile: "/k" } })).toMatchObject({
      port: 22,
      user: "root",
      identityFiles: [{ file: "/k", mustExist: true }],
    });
  });

  test("a ProxyCommand and a ProxyJump are refused with the reason", async () => {
    const refused = { code: "TARGET_UNREACHABLE", details: { step: "settings" } };
    await expect(resolve({ host: "proxied" })).rejects.toMatchObject(refused);
    await expect(resolve({ host: "hop" })).rejects.toMatchObject(refused);
    expect(await resolve({ host: "hop", jump: "bastion" })).toMatchObject({ host: "hop" });
  });

  test("a missing ssh is told", async () => {
    const missing = resolveEndpoint(endpoint({}), "tb", {
      home: "/home/me",
      sshProgram: path.join(folder, "none"),
    });
    await expect(missing).rejects.toMatchObject({
      details: { reason: expect.stringContaining("no ssh program") },
    });
  });
});
