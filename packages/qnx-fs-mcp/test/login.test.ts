import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { isQnxFsError } from "../src/domain/errors.ts";
import { describeFailure } from "../src/tools/failures.ts";
import { describeScripted, openPool, type PoolOptions } from "./open-pool.ts";
import { makeKey } from "./scripted-target/make-key.ts";
import { type ScriptedTargetOptions, startScriptedTarget } from "./scripted-target/start-scripted-target.ts";
import { haveSshd, startSshd } from "./start-sshd.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const signal = new AbortController().signal;
/** Comes with every OpenSSH client. */
const agentProgram = "ssh-agent";
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Starts a target, logs in with these settings and gives the error, or undefined. */
async function login(
  scripted: ScriptedTargetOptions,
  settings: (
    target: Awaited<ReturnType<typeof startScriptedTarget>>,
    folder: string,
  ) => object | Promise<object>,
  options: PoolOptions = {},
): Promise<unknown> {
  const target = await startScriptedTarget(scripted);
  ends.push(target.close);
  const { folder, remove } = await temporaryFolder();
  ends.push(remove);
  const more = await settings(target, folder);
  const { pool, close } = await openPool({ targets: { tb: describeScripted(target, more) } }, options);
  ends.push(close);
  return pool.open("tb", signal).then(
    () => undefined,
    (error: unknown) => error,
  );
}

const withKey = async ({ userKey }: { userKey: string }, folder: string): Promise<object> => {
  await writeFile(path.join(folder, "key"), userKey);
  return { identity_file: path.join(folder, "key"), password_env: undefined };
};

describe("login", () => {
  test("by key", async () => {
    expect(await login({ methods: ["publickey"] }, withKey)).toBeUndefined();
  });

  test("by password, from the environment", async () => {
    const options = { env: { PASSWORD: "hunter22" } };
    expect(await login({ methods: ["password"], password: "hunter22" }, () => ({}), options)).toBeUndefined();
  });

  test("by keyboard-interactive alone, as QNX 8 images want it", async () => {
    const options = { env: { PASSWORD: "hunter22" } };
    expect(
      await login({ methods: ["keyboard-interactive"], password: "hunter22" }, () => ({}), options),
    ).toBeUndefined();
  });

  test("without any secret where the account has none", async () => {
    expect(await login({ methods: ["none"] }, () => ({ password_env: undefined }))).toBeUndefined();
  });

  test("with an empty password", async () => {
    const options = { env: { PASSWORD: "" } };
    expect(await login({ methods: ["password"], password: "" }, () => ({}), options)).toBeUndefined();
  });

  test("in spite of a banner", async () => {
    expect(
      await login({ methods: ["publickey"], banner: "Property of the lab.\nGo away.\n" }, withKey),
    ).toBeUndefined();
  });

  test("falls back on the password when the key is not the one", async () => {
    const settings = async (_target: unknown, folder: string): Promise<object> => {
      await writeFile(path.join(folder, "key"), makeKey());
      return { identity_file: path.join(folder, "key") };
    };
    const options = { env: { PASSWORD: "hunter22" } };
    expect(
      await login({ methods: ["publickey", "password"], password: "hunter22" }, settings, options),
    ).toBeUndefined();
  });

  test("a wrong password is told with what was tried and taken, never the password itself", async () => {
    for (const methods of [["password"], ["keyboard-interactive"]] as const) {
      const error = await login({ methods }, () => ({}), { env: { PASSWORD: "hunter22" } });
      expect(error).toMatchObject({
        code: "AUTH_FAILED",
        details: { kind: "refused", tried: [...methods], offered: [...methods], user: "qnxuser" },
      });
      const told = isQnxFsError(error) ? describeFailure(error) : undefined;
      expect(told?.next).toContain("the variable of password_env holds the password");
      expect(JSON.stringify([error, told, (error as Error).stack])).not.toContain("hunter22");
    }
  });

  test("a way that could not be tried is told beside those that failed, with why", async () => {
    const missing = () => ({ identity_file: "/nowhere/key" });
    const options = { env: { PASSWORD: "hunter22" } };
    const error = await login({ methods: ["publickey", "password"] }, missing, options);
    const told = isQnxFsError(error) ? describeFailure(error) : undefined;
    expect(told?.message).toMatch(/tried: password; not tried: .*key \/nowhere\/key: there is no such file/);
    expect(told?.next).toContain("Have what was not tried put right");
  });

  test("a target that takes only passwords is told with password_env", async () => {
    const error = await login({ methods: ["keyboard-interactive"] }, withKey);
    expect(isQnxFsError(error) && describeFailure(error).next).toMatch(
      /password_env: NAME .*"env": {"NAME": "…"}/,
    );
  });

  test("a demand for a new password is refused, not answered", async () => {
    for (const methods of [["password"], ["keyboard-interactive"]] as const) {
      const error = await login({ methods, newPassword: true, password: "old" }, () => ({}), {
        env: { PASSWORD: "old" },
      });
      expect(error).toMatchObject({ code: "AUTH_FAILED", details: { kind: "new-password" } });
    }
  });

  test("a target that asks for more than a password is given up, and the password is typed once", async () => {
    const scripted = {
      methods: ["keyboard-interactive"],
      secondPrompt: "One-time code:",
      password: "p",
    } as const;
    const error = await login(scripted, () => ({}), { env: { PASSWORD: "p" } });
    expect(error).toMatchObject({
      code: "AUTH_FAILED",
      details: { kind: "prompts", said: "One-time code:" },
    });
  });

  test("a variable that is not set is told with the env block to add, before anything is sent", async () => {
    const error = await login({}, () => ({}));
    expect(error).toMatchObject({ code: "AUTH_FAILED", details: { kind: "variable", variable: "PASSWORD" } });
    expect(isQnxFsError(error) && describeFailure(error).next).toContain('"env": {"PASSWORD": "…"}');
  });

  test("an agent that the client did not pass on is told likewise", async () => {
    const error = await login({}, () => ({ agent: true, password_env: undefined }));
    expect(error).toMatchObject({
      code: "AUTH_FAILED",
      details: { kind: "variable", variable: "SSH_AUTH_SOCK" },
    });
  });

  test("an agent that is not there does not keep the next method from working", async () => {
    const settings = (_target: unknown, folder: string): object => ({ agent: path.join(folder, "agent") });
    const options = { env: { PASSWORD: "hunter22" } };
    expect(await login({ password: "hunter22" }, settings, options)).toBeUndefined();
    const alone = await login({}, (target, folder) => ({
      ...settings(target, folder),
      password_env: undefined,
    }));
    expect(alone).toMatchObject({ code: "AUTH_FAILED", details: { kind: "agent" } });
  });

  test("a key that is missing, no key, or public is told", async () => {
    const cases: readonly [string | undefined, RegExp][] = [
      [undefined, /no such file/],
      ["hello", /not a private key/],
      ["-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", /PKCS#8/],
    ];
    for (const [text, reason] of cases) {
      const error = await login({}, async (_target, folder) => {
        const file = path.join(folder, "key");
        if (text !== undefined) await writeFile(file, text);
        return { identity_file: file, password_env: undefined };
      });
      expect(error).toMatchObject({
        code: "KEY_UNREADABLE",
        details: { reason: expect.stringMatching(reason) },
      });
    }
  });
});

describe.skipIf(!haveSshd(process))("login to OpenSSH", () => {
  test("with a key that only the agent has, encrypted on disk", async () => {
    const sshd = await startSshd();
    ends.push(sshd.stop);
    const { folder, remove } = await temporaryFolder();
    ends.push(remove);
    const socket = path.join(folder, "agent");
    const agent = spawn(agentProgram, ["-D", "-a", socket], { stdio: ["ignore", "pipe", "inherit"] });
    ends.push(async () => {
      agent.kill();
      await once(agent, "exit");
    });
    // It says where its socket is once that is there.
    await once(agent.stdout, "data");
    await promisify(execFile)("ssh-add", ["-q", sshd.userKey], {
      env: { ...process.env, SSH_AUTH_SOCK: socket },
    });
    const { host, port, user, fingerprints } = sshd;
    for (const [choice, env] of [
      [socket, {}],
      [true, { SSH_AUTH_SOCK: socket }],
    ] as const) {
      const target = { host, port, user, agent: choice, host_key: fingerprints.ed25519 };
      const { pool, close } = await openPool({ targets: { tb: target } }, { env });
      ends.push(close);
      expect((await pool.open("tb", signal)).target).toBe("tb");
    }
  });

  test("with an encrypted key, its passphrase from the environment", async () => {
    const sshd = await startSshd();
    ends.push(sshd.stop);
    const { host, port, user, encryptedKey, passphrase, fingerprints } = sshd;
    const target = { host, port, user, identity_file: encryptedKey, host_key: fingerprints.ed25519 };
    const attempt = async (settings: object, env: Record<string, string>): Promise<unknown> => {
      const { pool, close } = await openPool({ targets: { tb: { ...target, ...settings } } }, { env });
      ends.push(close);
      return pool.open("tb", signal).then(
        () => undefined,
        (error: unknown) => error,
      );
    };
    const withPassphrase = { passphrase_env: "PHRASE" };
    expect(await attempt(withPassphrase, { PHRASE: passphrase })).toBeUndefined();
    expect(await attempt({}, {})).toMatchObject({ code: "KEY_ENCRYPTED", details: { file: encryptedKey } });
    expect(await attempt(withPassphrase, { PHRASE: "wrong" })).toMatchObject({
      code: "KEY_ENCRYPTED",
      details: { variable: "PHRASE" },
    });
    expect(await attempt(withPassphrase, {})).toMatchObject({
      code: "AUTH_FAILED",
      details: { variable: "PHRASE" },
    });
    expect(await readFile(encryptedKey, "utf8")).toContain("OPENSSH PRIVATE KEY");
  });
});
