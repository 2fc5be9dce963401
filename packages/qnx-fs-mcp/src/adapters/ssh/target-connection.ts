import { readableRoots, type Target } from "../../domain/configuration.ts";
import { QnxFsError } from "../../domain/errors.ts";
import { type Roots, resolveRoots } from "../../domain/roots.ts";
import type { OpenTarget, TargetFacts } from "../../domain/targets.ts";
import { ChannelClosed } from "../sftp/sftp-failure.ts";
import { SftpFiles, type SftpFilesOptions } from "../sftp/sftp-files.ts";
import type { SftpSession } from "../sftp/sftp-session.ts";
import { TransferWindow } from "../sftp/transfer-window.ts";
import { translateFailure } from "../sftp/translate-failure.ts";
import type { ConnectServices, TargetLink } from "./connect-target.ts";
import type { SshLimits } from "./limits.ts";
import { openSftp, type SftpChannel } from "./sftp-channel.ts";
import { isIntegrityProblem } from "./ssh-link.ts";

type ConnectionServices = Pick<ConnectServices, "limits" | "freeBuffers">;

/**
 * One connection to a target, shared by all calls. A channel on which a request timed out is given up and another one
 * is opened, a few times; then the connection is. After some time without use it closes by itself.
 */
export class TargetConnection implements OpenTarget {
  readonly target: string;
  readonly files: SftpFiles;
  readonly roots: Roots;
  readonly writeRoots: Roots;
  readonly facts: TargetFacts;
  readonly #settings: Target;
  readonly #link: TargetLink;
  readonly #limits: SshLimits;
  readonly #idle: NodeJS.Timeout;
  #session: SftpSession;
  #reopening: Promise<SftpSession> | undefined;
  #abandoned = 0;
  #closedAs: "idle" | "lost" | undefined;

  private constructor(
    settings: Target,
    link: TargetLink,
    channel: SftpChannel,
    { roots, writeRoots }: Pick<OpenTarget, "roots" | "writeRoots">,
    { limits, freeBuffers }: ConnectionServices,
  ) {
    this.target = settings.name;
    this.#settings = settings;
    this.#link = link;
    this.#limits = limits;
    this.#session = channel.session;
    this.files = connectionFiles(
      settings.name,
      link,
      { limits, freeBuffers },
      {
        session: () => this.#usableSession(),
        openSession: async () => (await this.#openChannel()).session,
      },
    );
    this.roots = roots;
    this.writeRoots = writeRoots;
    const { version, extensions } = channel.session;
    this.facts = { ...link.link.facts, sftpVersion: version, extensions, sftpByExec: channel.byExec };
    this.#idle = setTimeout(() => this.#closeIfIdle(), limits.idleMs).unref();
  }

  /** Opens SFTP over a link and resolves the roots; the link is closed when that fails. */
  static async open(
    settings: Target,
    link: TargetLink,
    services: ConnectionServices,
  ): Promise<TargetConnection> {
    try {
      const channel = await openSftp(link.link, link.endpoint.at, settings.sftpServer, services.limits);
      const only = async (): Promise<SftpSession> => channel.session;
      const files = connectionFiles(settings.name, link, services, {
        session: only,
        openSession: only,
      });
      const { signal } = new AbortController();
      const roots = await resolveRoots(readableRoots(settings), files, signal);
      const writeRoots = await resolveRoots(settings.writeRoots, files, signal);
      return new TargetConnection(settings, link, channel, { roots, writeRoots }, services);
    } catch (error) {
      link.close();
      throw error;
    }
  }

  /** How it stands: usable, closed after a time without use, or lost. */
  get state(): "alive" | "idle" | "lost" {
    if (this.#closedAs !== undefined) return this.#closedAs;
    // SSH may live, but no channel answers and none is to be opened any more: whoever asks wants another connection.
    const spent =
      !this.#session.usable &&
      this.#reopening === undefined &&
      this.#abandoned >= this.#limits.abandonedChannels;
    return spent || this.#link.link.ended() !== undefined ? "lost" : "alive";
  }

  close(as: "idle" | "lost"): void {
    if (this.#closedAs !== undefined) return;
    this.#closedAs = as;
    clearTimeout(this.#idle);
    this.#session.close();
    this.#link.close();
  }

  async #usableSession(): Promise<SftpSession> {
    this.#idle.refresh();
    if (this.#session.usable) return this.#session;
    const ended = this.#link.link.ended();
    if (ended !== undefined) throw new ChannelClosed(ended);
    if (this.#closedAs !== undefined) throw new ChannelClosed("the connection was closed");
    this.#reopening ??= this.#reopen().finally(() => {
      this.#reopening = undefined;
    });
    return this.#reopening;
  }

  async #reopen(): Promise<SftpSession> {
    if (this.#abandoned >= this.#limits.abandonedChannels) {
      this.close("lost");
      throw new ChannelClosed("too many requests were not answered; the connection was given up");
    }
    this.#abandoned++;
    this.#session.close();
    const { session } = await this.#openChannel();
    this.#session = session;
    return session;
  }

  #openChannel(): Promise<SftpChannel> {
    const { link, endpoint } = this.#link;
    return openSftp(link, endpoint.at, this.#settings.sftpServer, this.#limits);
  }

  #closeIfIdle(): void {
    if (this.#session.busy) this.#idle.refresh();
    else this.close("idle");
  }
}

function connectionFiles(
  target: string,
  { endpoint, link }: TargetLink,
  { limits, freeBuffers }: ConnectionServices,
  sessions: Pick<SftpFilesOptions, "session" | "openSession">,
): SftpFiles {
  const { at, user } = endpoint;
  return new SftpFiles({
    ...sessions,
    oneChannelBytes: limits.oneChannelBytes,
    window: new TransferWindow(() => performance.now(), freeBuffers),
    translate: (error, path) => {
      const ended = error instanceof ChannelClosed ? link.ended() : undefined;
      if (ended === undefined) return translateFailure(error, path, { target, user });
      return isIntegrityProblem(ended)
        ? new QnxFsError("HANDSHAKE_FAILED", { ...at, kind: "integrity", reason: ended }, { cause: error })
        : new QnxFsError("CONNECTION_LOST", { target, step: "SFTP", reason: ended }, { cause: error });
    },
  });
}
