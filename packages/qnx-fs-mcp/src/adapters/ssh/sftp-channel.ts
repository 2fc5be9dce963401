import type { ClientChannel } from "ssh2";
import { type At, QnxFsError } from "../../domain/errors.ts";
import { ChannelClosed, PrintedText, RequestTimedOut } from "../sftp/sftp-failure.ts";
import { SftpSession } from "../sftp/sftp-session.ts";
import { MalformedPacket } from "../sftp/wire.ts";
import type { SshLimits } from "./limits.ts";
import { keepWindowOpen } from "./receive-window.ts";
import type { SshLink } from "./ssh-link.ts";

export interface SftpChannel {
  readonly session: SftpSession;
  /** Whether it runs the SFTP server's program itself. */
  readonly byExec: boolean;
}

interface Way {
  readonly name: string;
  readonly byExec: boolean;
  start(link: SshLink, done: (error: Error | undefined, channel: ClientChannel) => void): void;
}

/**
 * Opens SFTP: the subsystem, else the program that the configuration names. Fails with SFTP_MISSING when the target
 * has none, with CONNECTION_LOST when the connection fails meanwhile.
 */
export async function openSftp(
  link: SshLink,
  at: At,
  program: string | undefined,
  limits: SshLimits,
): Promise<SftpChannel> {
  const ways: Way[] = [
    {
      name: "the sftp subsystem",
      byExec: false,
      start: ({ client }, done) => client.subsys("sftp", done as never),
    },
    ...(program === undefined
      ? []
      : [
          {
            name: program,
            byExec: true,
            start: ({ client }: SshLink, done: never) => client.exec(program, done),
          },
        ]),
  ];
  const reasons: string[] = [];
  let printed: string | undefined;
  for (const way of ways) {
    try {
      return { session: await startWay(link, way, limits), byExec: way.byExec };
    } catch (error) {
      const ended = link.ended();
      if (ended !== undefined) throw lost(at, ended, error);
      if (isRefusedChannel(error)) throw lost(at, `no channel could be opened: ${error.message}`, error);
      if (error instanceof PrintedText) printed = error.text;
      reasons.push(`${way.name}: ${reasonOf(error)}`);
    }
  }
  throw new QnxFsError("SFTP_MISSING", {
    ...at,
    reason: reasons.join("; "),
    tried: ways.map(({ name }) => name),
    ...(printed !== undefined && { printed }),
  });
}

function startWay(link: SshLink, way: Way, limits: SshLimits): Promise<SftpSession> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new RequestTimedOut("its start", limits.subsystemMs)),
      limits.subsystemMs,
    );
    const done = (error: Error | undefined, channel: ClientChannel): void => {
      clearTimeout(timer);
      if (error) reject(error);
      else speakSftp(channel, limits).then(resolve, reject);
    };
    try {
      way.start(link, done);
    } catch (error) {
      clearTimeout(timer);
      reject(error);
    }
  });
}

async function speakSftp(channel: ClientChannel, limits: SshLimits): Promise<SftpSession> {
  let exit: string | undefined;
  let said = "";
  channel.on("exit", (code: number | null, signal?: string) => {
    exit = code === null ? `signal ${signal}` : `exit code ${code}`;
  });
  channel.stderr.on("data", (chunk: Buffer) => {
    if (said.length < 200) said += chunk.toString("utf8");
  });
  try {
    const session = await SftpSession.open(channel, {
      startTimeoutMs: limits.subsystemMs,
      requestTimeoutMs: limits.requestMs,
    });
    keepWindowOpen(channel);
    return session;
  } catch (error) {
    channel.close();
    if (!(error instanceof ChannelClosed)) throw error;
    const why = [exit, said.trim()].filter(Boolean).join(", ");
    throw new ChannelClosed(`it ended at once${why && ` (${why})`}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  if (
    error instanceof RequestTimedOut ||
    error instanceof MalformedPacket ||
    error instanceof PrintedText ||
    error instanceof ChannelClosed
  ) {
    return error.message;
  }
  return error instanceof Error && error.message.startsWith("Unable to")
    ? "the target refused it"
    : String(error);
}

/** ssh2 gives the server's reason code with a refused channel. */
function isRefusedChannel(error: unknown): error is Error {
  return error instanceof Error && "reason" in error;
}

function lost({ target }: At, reason: string, cause: unknown): QnxFsError {
  return new QnxFsError("CONNECTION_LOST", { target, step: "opening SFTP", reason }, { cause });
}
