import { createHash } from "node:crypto";
import { createConnection, type Socket } from "node:net";
import type { Connection, Session } from "ssh2";
import ssh2 from "ssh2";
import { authenticate, type Method, publicKeyOf } from "./authenticate.ts";
import { makeKey } from "./make-key.ts";
import { qnxTree } from "./qnx-tree.ts";
import type { StoreQuirks } from "./serve-files.ts";
import { type Behaviour, serveSftp } from "./sftp-server.ts";
import type { Bytes, Node } from "./tree.ts";

/** Source: sshd_config of QNX 8 images. */
const ciphersOfQnx8 = ["aes128-ctr", "aes192-ctr", "aes256-ctr"];

export interface ScriptedTargetOptions {
  readonly root?: Node;
  readonly user?: string;
  readonly password?: string;
  /** An OpenSSH private key that may log in, with its passphrase; one is made by default. */
  readonly userKey?: string;
  readonly userPassphrase?: string;
  /** The ways to log in that it takes; `publickey` and `password` by default. */
  readonly methods?: readonly Method[];
  /** Demands a new password from whoever logs in with the right one. */
  readonly newPassword?: boolean;
  /** Asks for something more, hidden, once the password was right; with keyboard-interactive. */
  readonly secondPrompt?: string;
  /** `subsystem` by default. A path: only by running that program. `noise`: it says something else first. `silent`: never answers. `crash`: ends with exit code 127. */
  readonly sftp?: "subsystem" | "none" | "noise" | "silent" | "crash" | `/${string}`;
  /** Private host keys; one Ed25519 key by default. */
  readonly hostKeys?: readonly string[];
  readonly algorithms?: Readonly<Record<string, readonly string[]>>;
  readonly ident?: string;
  readonly banner?: string;
  readonly extensions?: Readonly<Record<string, string>>;
  readonly batch?: number;
  readonly store?: StoreQuirks;
  /** Channels that one connection may have at a time; 10 by default, as sshd's MaxSessions. */
  readonly maxSessions?: number;
  /** What a request comes to; `answer` by default. */
  readonly behave?: (request: string, path: Bytes) => Behaviour;
  /** Bytes that are sent in place of the right answer to a request. */
  readonly forge?: (request: string, path: Bytes, id: number) => Buffer | undefined;
  /** The version of SFTP that it tells; 3 by default. */
  readonly sftpVersion?: number;
  /** Lets clients connect through it to other machines. */
  readonly forwards?: boolean;
  readonly port?: number;
}

/** A running scripted target. */
export interface ScriptedTarget {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** An OpenSSH private key that may log in. */
  readonly userKey: string;
  /** `SHA256:…` of the first host key. */
  readonly hostKeyFingerprint: string;
  /** A line for known_hosts, with the first host key. */
  readonly knownHostsLine: string;
  /** SSH connections that were logged in to so far. */
  readonly logins: () => number;
  /** Requests so far, as `LSTAT /path`. */
  readonly requests: () => readonly string[];
  /** Channels that are open now, on all connections. */
  readonly openSessions: () => number;
  /** What it holds now. */
  root(): Node;
  replaceRoot(root: Node): void;
  /** Cuts every connection, as a reboot does; it listens on. */
  drop(): void;
  close(): Promise<void>;
}

/** Serves a QNX-like tree over SSH on a loopback port, with the quirks that are asked for. */
export async function startScriptedTarget(options: ScriptedTargetOptions = {}): Promise<ScriptedTarget> {
  const user = options.user ?? "qnxuser";
  const password = options.password ?? "correct horse";
  const userKey = options.userKey ?? makeKey();
  const hostKeys = options.hostKeys ?? [makeKey()];
  const state = { root: options.root ?? qnxTree(), logins: 0, sessions: 0, requests: [] as string[] };
  const connections = new Set<Connection>();

  function serve(session: Session, connection: Connection): void {
    const sftp = options.sftp ?? "subsystem";
    const run = (channel: Parameters<typeof serveSftp>[0]): void =>
      serveSftp(channel, {
        root: () => state.root,
        home: `/data/home/${user}`,
        extensions: options.extensions ?? {},
        batch: options.batch ?? 100,
        store: options.store ?? {},
        behave: (request, path) => {
          state.requests.push(`${request} ${path}`);
          return options.behave?.(request, path) ?? "answer";
        },
        forge: (request, path, id) => options.forge?.(request, path, id),
        version: options.sftpVersion ?? 3,
        cut: () => cut(connection),
      });
    session.on("subsystem", (accept, reject, { name }) => {
      if (sftp === "silent") return;
      if (name !== "sftp" || sftp === "none" || sftp.startsWith("/")) {
        reject?.();
        return;
      }
      const channel = accept();
      if (sftp === "noise") channel.write("Welcome to the bench!\r\n");
      else if (sftp === "crash") {
        channel.stderr.write("sh: sftp-server: not found\n");
        channel.exit(127);
        channel.end();
      } else run(channel);
    });
    session.on("exec", (accept, reject, { command }) => {
      if (command === sftp) run(accept());
      else reject();
    });
  }

  const server = new ssh2.Server(
    {
      hostKeys: [...hostKeys],
      ident: options.ident ?? "OpenSSH_9.9 QNX_Secure_Shell-20260101",
      ...(options.banner !== undefined && { banner: options.banner }),
      algorithms: { cipher: ciphersOfQnx8, ...options.algorithms } as never,
    },
    (connection) => {
      connections.add(connection);
      socketOf(connection)?.setNoDelay(true);
      let sessions = 0;
      connection
        .on("authentication", (context) => authenticate(context, { ...options, user, password, userKey }))
        .on("ready", () => {
          state.logins++;
        })
        .on("session", (accept, reject) => {
          if (sessions >= (options.maxSessions ?? 10)) {
            reject();
            return;
          }
          sessions++;
          state.sessions++;
          const session = accept();
          session.once("close", () => {
            sessions--;
            state.sessions--;
          });
          serve(session, connection);
        })
        .on("error", () => {})
        .on("close", () => connections.delete(connection));
      if (options.forwards) {
        connection.on("tcpip", (accept, reject, { destIP, destPort }) => {
          const onward = createConnection(destPort, destIP)
            .on("connect", () => {
              const channel = accept();
              channel.on("error", () => {});
              onward.pipe(channel).pipe(onward);
            })
            .on("error", () => reject());
        });
      }
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.on("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", () => resolve());
  });
  const { port } = server.address() as { port: number };
  const [firstKey] = hostKeys;
  const publicKey = publicKeyOf(firstKey as string);
  return {
    host: "127.0.0.1",
    port,
    user,
    password,
    userKey,
    hostKeyFingerprint: `SHA256:${createHash("sha256").update(publicKey.blob).digest("base64").replace(/=+$/, "")}`,
    knownHostsLine: `[127.0.0.1]:${port} ${publicKey.type} ${publicKey.blob.toString("base64")}`,
    logins: () => state.logins,
    requests: () => state.requests,
    openSessions: () => state.sessions,
    root: () => state.root,
    replaceRoot: (root) => {
      state.root = root;
    },
    drop: () => {
      for (const connection of connections) cut(connection);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const connection of connections) cut(connection);
      }),
  };
}

/** Cuts a connection without a farewell. */
function cut(connection: Connection): void {
  socketOf(connection)?.destroy();
}

function socketOf(connection: Connection): Socket | undefined {
  return (connection as Connection & { _sock?: Socket })._sock;
}
