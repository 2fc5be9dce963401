import { lookup } from "node:dns/promises";
import type { Duplex } from "node:stream";
import { type ConnectServices, connectTarget, type TargetLink } from "../adapters/ssh/connect-target.ts";
import { openSocket } from "../adapters/ssh/open-socket.ts";
import { resolveEndpoint } from "../adapters/ssh/resolved-endpoint.ts";
import { TargetConnection } from "../adapters/ssh/target-connection.ts";
import { type Configuration, jumpsTo, readableRoots, type Target } from "../domain/configuration.ts";
import { type At, type FailureCode, QnxFsError } from "../domain/errors.ts";
import { displayPath } from "../domain/raw-name.ts";
import { isWithin, joinPath } from "../domain/remote-path.ts";
import type { OpenTarget } from "../domain/targets.ts";

/** What a check goes through, in this order. */
type CheckStep =
  | "settings"
  | "name"
  | "port"
  | "banner"
  | "algorithms"
  | "host key"
  | "login"
  | "SFTP"
  | "root"
  | "write";

/** What one step came to: well, with what was found; or not, with the reason. */
export type StepOutcome =
  | { readonly step: CheckStep; readonly found: string; readonly failure?: undefined }
  | { readonly step: CheckStep; readonly failure: QnxFsError };

/** The step at which a connection fails with a code. */
const stepOf: Readonly<Partial<Record<FailureCode, CheckStep>>> = {
  HANDSHAKE_FAILED: "algorithms",
  HOST_KEY_UNKNOWN: "host key",
  HOST_KEY_CHANGED: "host key",
  AUTH_FAILED: "login",
  KEY_ENCRYPTED: "login",
  KEY_UNREADABLE: "login",
  SFTP_MISSING: "SFTP",
  CONNECTION_LOST: "SFTP",
};

/** Walks from the settings of a target to its roots; ends at the first step without which no other can be tried. */
export async function* checkTarget(
  target: Target,
  configuration: Configuration,
  services: ConnectServices,
  { write, newId }: { readonly write: boolean; readonly newId: () => string },
  signal: AbortSignal,
): AsyncGenerator<StepOutcome> {
  let step: CheckStep = "settings";
  try {
    const [first = target] = jumpsTo(target, configuration);
    const endpoint = await resolveEndpoint(first, target.name, services);
    const { host, port, at } = endpoint;
    yield { step, found: `${endpoint.user} at ${at.endpoint}` };
    step = "name";
    yield { step, found: `${host} is ${await addressOf(host, at)}` };
    step = "port";
    const socket = await openSocket(host, port, at, services.limits.connectMs);
    yield { step, found: `${at.endpoint} accepts connections` };
    step = "banner";
    yield { step, found: await bannerOf(socket, at, services.limits.loginMs) };
    step = "algorithms";
    const link = await connectTarget(target, configuration, services);
    yield* describeLink(link);
    step = "SFTP";
    const open = await TargetConnection.open(target, link, services.limits);
    try {
      const { sftpVersion, extensions, sftpByExec } = open.facts;
      const ways = sftpByExec ? `run as ${target.sftpServer}` : "the subsystem";
      yield {
        step,
        found: `version ${sftpVersion}, ${ways}; ${Object.keys(extensions).join(", ") || "no extensions"}`,
      };
      for (const root of readableRoots(target)) yield* checkRoot(open, root, signal);
      if (write) for (const root of target.writeRoots) yield* checkWriting(open, root, newId(), signal);
    } finally {
      open.close("idle");
    }
  } catch (error) {
    if (!(error instanceof QnxFsError)) throw error;
    yield {
      step: step === "algorithms" ? (stepOf[error.code as FailureCode] ?? step) : step,
      failure: error,
    };
  }
}

function* describeLink({ link, endpoint }: TargetLink): Generator<StepOutcome> {
  const { algorithms, server } = link.facts;
  const { kex, cipher, mac, hostKey } = algorithms;
  yield { step: "algorithms", found: `${kex}, ${cipher}, ${mac}; server ${JSON.stringify(server)}` };
  yield { step: "host key", found: `${hostKey} is the one that is known` };
  yield { step: "login", found: `as ${endpoint.user}` };
}

async function addressOf(host: string, at: At): Promise<string> {
  try {
    return (await lookup(host)).address;
  } catch (error) {
    const reason = `the host name ${JSON.stringify(host)} is not known here`;
    throw new QnxFsError("TARGET_UNREACHABLE", { ...at, step: "connect", reason }, { cause: error });
  }
}

/** The first line that an SSH server says. Fails with HANDSHAKE_FAILED. */
function bannerOf(socket: Duplex, at: At, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const end = (): void => {
      clearTimeout(timer);
      socket.destroy();
    };
    const fail = (reason: string): void => {
      end();
      reject(new QnxFsError("HANDSHAKE_FAILED", { ...at, kind: "protocol", reason }));
    };
    const timer = setTimeout(() => fail("it accepts connections, but says nothing"), timeoutMs);
    socket
      .on("error", (error) => fail(error.message))
      .on("close", () => fail("it closed the connection before it said a word of SSH"))
      .on("data", (chunk: Buffer) => {
        said += chunk.toString("latin1");
        const line = /^(SSH-[^\r\n]*)\r?\n/m.exec(said)?.[1];
        if (line !== undefined) {
          resolve(line);
          end();
        } else if (said.length > 8_192) fail("what it says is no SSH");
      });
  });
}

async function* checkRoot(open: OpenTarget, root: string, signal: AbortSignal): AsyncGenerator<StepOutcome> {
  try {
    const real = displayPath(await open.files.realPath(root, signal)).text;
    await open.files.lstat(real, signal);
    const where = real === root ? root : `${root} leads to ${real}`;
    yield { step: "root", found: isWithin(real, "/dev/shmem") ? `${where}, which is RAM` : where };
  } catch (error) {
    if (!(error instanceof QnxFsError) || error.code === "CONNECTION_LOST") throw error;
    yield { step: "root", failure: error };
  }
}

/** Writes a small file below a root, reads it and removes it. */
async function* checkWriting(
  open: OpenTarget,
  root: string,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<StepOutcome> {
  const { files, target } = open;
  const content = Buffer.from(`qnx-fs-mcp check ${id}\n`);
  try {
    const path = joinPath(displayPath(await files.realPath(root, signal)).text, `.qfs-check-${id}`);
    const writer = await files.open(path, "create", signal);
    try {
      await writer.write(oneOf(content), signal);
      await writer.close(signal);
      const reader = await files.open(path, "read", signal);
      const read = await reader.read(0, content.length + 1, signal).finally(() => reader.release());
      if (!read.equals(content)) {
        throw new QnxFsError("VERIFY_FAILED", { target, path, reason: "it reads back otherwise" });
      }
    } finally {
      writer.release();
      await files.removeFile(path, signal);
    }
    yield { step: "write", found: `a file in ${root} was written, read back and removed` };
  } catch (error) {
    if (!(error instanceof QnxFsError) || error.code === "CONNECTION_LOST") throw error;
    yield { step: "write", failure: error };
  }
}

async function* oneOf(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}
