import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { createConnection, createServer } from "node:net";
import { userInfo } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "./temporary-folder.ts";

const run = promisify(execFile);
const program = ["/usr/sbin/sshd", "/usr/local/sbin/sshd"].find(existsSync);

/**
 * Whether OpenSSH's sshd is here. Where it is not, the tests that need it say so and are skipped; with `CI` set that
 * is an error.
 */
export function haveSshd({ env, stderr }: NodeJS.Process): boolean {
  if (program !== undefined) return true;
  if (env.CI) throw new Error("no sshd: install openssh-server");
  stderr.write("SKIPPED: no sshd here; install openssh-server to run the tests against it.\n");
  return false;
}

export interface Sshd {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Private keys that may log in; the second one is encrypted with `passphrase`. */
  readonly userKey: string;
  readonly encryptedKey: string;
  readonly passphrase: string;
  /** `SHA256:…` by key type. */
  readonly fingerprints: Readonly<Record<"ed25519" | "rsa", string>>;
  /** Public host keys by key type, as `type base64`. */
  readonly publicKeys: Readonly<Record<"ed25519" | "rsa", string>>;
  stop(): Promise<void>;
}

/** Starts OpenSSH's sshd on a loopback port, with keys made for the run. `lines` are added to its configuration. */
export async function startSshd(lines: readonly string[] = []): Promise<Sshd> {
  if (program === undefined) throw new Error("no sshd here");
  const { folder, remove } = await temporaryFolder();
  const file = (name: string): string => path.join(folder, name);
  const passphrase = "open sesame";
  await Promise.all([
    makeKey(file("host_ed25519"), "ed25519"),
    makeKey(file("host_rsa"), "rsa"),
    makeKey(file("user"), "ed25519"),
  ]);
  await copyFile(file("user"), file("user_encrypted"));
  await chmod(file("user_encrypted"), 0o600);
  await run("ssh-keygen", ["-q", "-p", "-P", "", "-N", passphrase, "-a", "2", "-f", file("user_encrypted")]);
  await copyFile(file("user.pub"), file("authorized_keys"));
  if (userInfo().uid === 0) await mkdir("/run/sshd", { recursive: true });
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    await writeFile(
      file("sshd_config"),
      [
        ...lines,
        `Port ${port}`,
        "ListenAddress 127.0.0.1",
        `HostKey ${file("host_ed25519")}`,
        `HostKey ${file("host_rsa")}`,
        `AuthorizedKeysFile ${file("authorized_keys")}`,
        "PidFile none",
        "StrictModes no",
        "UsePAM no",
        "PasswordAuthentication no",
        "MaxStartups 100",
        "LogLevel ERROR",
        "Subsystem sftp internal-sftp",
      ].join("\n"),
    );
    const child = spawn(program, ["-D", "-e", "-f", file("sshd_config")], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk;
    });
    const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    const stop = async (): Promise<void> => {
      child.kill();
      await exited;
      await remove();
    };
    if (await answers(port, exited)) {
      return {
        host: "127.0.0.1",
        port,
        user: userInfo().username,
        userKey: file("user"),
        encryptedKey: file("user_encrypted"),
        passphrase,
        fingerprints: {
          ed25519: await fingerprint(file("host_ed25519")),
          rsa: await fingerprint(file("host_rsa")),
        },
        publicKeys: {
          ed25519: await publicKey(file("host_ed25519")),
          rsa: await publicKey(file("host_rsa")),
        },
        stop,
      };
    }
    if (attempt === 5) {
      await stop();
      throw new Error(`sshd does not start: ${said}`);
    }
  }
}

async function makeKey(file: string, type: "ed25519" | "rsa"): Promise<void> {
  await run("ssh-keygen", ["-q", "-t", type, "-N", "", "-C", "test", "-f", file]);
}

async function fingerprint(file: string): Promise<string> {
  const { stdout } = await run("ssh-keygen", ["-lf", `${file}.pub`]);
  return /SHA256:\S+/.exec(stdout)?.[0] ?? "";
}

async function publicKey(file: string): Promise<string> {
  return (await readFile(`${file}.pub`, "utf8")).split(" ").slice(0, 2).join(" ");
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** Whether something accepts connections there before the process ends. */
async function answers(port: number, exited: Promise<void>): Promise<boolean> {
  let over = false;
  exited.then(() => {
    over = true;
  });
  while (!over) {
    const connected = await new Promise<boolean>((resolve) => {
      const socket = createConnection(port, "127.0.0.1")
        .once("connect", () => {
          socket.destroy();
          resolve(true);
        })
        .once("error", () => setTimeout(() => resolve(false), 20));
    });
    if (connected) return !over;
  }
  return false;
}
