import type { Duplex } from "node:stream";
import { algorithmsOf, keyTypeOfAlgorithm, preferKeyTypes } from "../../domain/algorithms.ts";
import { type Configuration, type Endpoint, jumpsTo, type Target } from "../../domain/configuration.ts";
import { type HostKeyNote, isQnxFsError, QnxFsError } from "../../domain/errors.ts";
import { HandshakeLog } from "./handshake-log.ts";
import type { HostKeyFiles } from "./host-key-files.ts";
import type { SshLimits } from "./limits.ts";
import { type LoginSources, prepareLogin } from "./login-methods.ts";
import { openSocket } from "./open-socket.ts";
import { type ResolvedEndpoint, type ResolveOptions, resolveEndpoint } from "./resolved-endpoint.ts";
import { openLink, type SshLink } from "./ssh-link.ts";
import { loadSsh2, usableAlgorithms } from "./ssh2-library.ts";

export interface ConnectServices extends LoginSources, ResolveOptions {
  readonly hostKeys: HostKeyFiles;
  readonly limits: SshLimits;
  /** Frees buffers that nothing holds any more; called every few MiB of a transfer. */
  readonly freeBuffers: () => void;
}

/** A target that SSH is logged in to, with the jumps on the way. */
export interface TargetLink {
  readonly link: SshLink;
  readonly endpoint: ResolvedEndpoint;
  close(): void;
}

/** Connects to a target through its jumps, each with the same checks. */
export async function connectTarget(
  target: Target,
  configuration: Configuration,
  services: ConnectServices,
): Promise<TargetLink> {
  const { via, close: closeJumps } = await connectJumps(target, configuration, services);
  try {
    const endpoint = await resolveEndpoint(target, target.name, services);
    const link = await connectEndpoint(endpoint, via, services);
    const close = (): void => {
      link.client.end().destroy();
      closeJumps();
    };
    return { link, endpoint, close };
  } catch (error) {
    closeJumps();
    throw error;
  }
}

/** Logs in to the jumps on the way to a machine; `via` is the last one. */
export async function connectJumps(
  machine: Endpoint,
  configuration: Configuration,
  services: ConnectServices,
): Promise<{ readonly via: SshLink | undefined; close(): void }> {
  const links: SshLink[] = [];
  const close = (): void => {
    for (const { client } of links.toReversed()) client.end().destroy();
  };
  try {
    for (const jump of jumpsTo(machine, configuration)) {
      const endpoint = await resolveEndpoint(jump, machine.name, services);
      links.push(await connectEndpoint(endpoint, links.at(-1), services));
    }
    return { via: links.at(-1), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** A stream to a machine: a socket, or a way through the jump before it. */
export function openStream(
  via: SshLink | undefined,
  endpoint: ResolvedEndpoint,
  limits: SshLimits,
): Promise<Duplex> {
  const { host, port, at } = endpoint;
  return via === undefined ? openSocket(host, port, at, limits.connectMs) : forward(via, endpoint, limits);
}

/**
 * Logs in to one machine. A bare fingerprint does not tell its key's type: where the key that was shown is another
 * one, each other type that the machine offers is asked for before the key counts as changed.
 */
export async function connectEndpoint(
  endpoint: ResolvedEndpoint,
  via: SshLink | undefined,
  services: ConnectServices,
): Promise<SshLink> {
  const { at, knownName, hostKey } = endpoint;
  const { hostKeys, limits } = services;
  const login = await prepareLogin(endpoint, services);
  const known = await hostKeys.knowledge(knownName, hostKey, `${at.setting}.host_key`).catch((error) => {
    const reason = `a file of known host keys cannot be read (${(error as NodeJS.ErrnoException).path})`;
    throw new QnxFsError("TARGET_UNREACHABLE", { ...at, step: "settings", reason }, { cause: error });
  });
  const algorithms = await usableAlgorithms(algorithmsOf(endpoint.algorithms));
  const types = known.keys.map(({ type }) => type);
  let offer = { ...algorithms, hostKey: preferKeyTypes(algorithms.hostKey, types) };
  const presented: HostKeyNote[] = [];
  for (;;) {
    const log = new HandshakeLog();
    const stream = await openStream(via, endpoint, limits);
    try {
      return await openLink(await loadSsh2(), stream, {
        endpoint,
        login,
        algorithms: offer,
        known,
        lookedIn: hostKeys.files,
        pin: (blob) => hostKeys.pin(knownName, blob),
        limits,
        log,
      });
    } catch (error) {
      if (!isQnxFsError(error, "HOST_KEY_CHANGED") || known.pin === undefined || error.details.revokedIn)
        throw error;
      presented.push(...error.details.presented);
      const offered = log.offered("remote", "hostKey");
      const left = offer.hostKey.filter(
        (name) => offered.includes(name) && !presented.some(({ type }) => type === keyTypeOfAlgorithm(name)),
      );
      if (left.length === 0)
        throw new QnxFsError("HOST_KEY_CHANGED", { ...error.details, presented }, { cause: error });
      offer = { ...offer, hostKey: left };
    }
  }
}

/** Why a jump opens no channel, by its reason code. Source: RFC 4254, section 5.1. */
const refusals: Readonly<Record<number, string>> = {
  1: "it forwards no connections there (see AllowTcpForwarding and PermitOpen in its sshd_config)",
  2: "its connection failed",
  4: "it is short of resources",
};

function whyRefused({ message, reason }: Error & { reason?: unknown }): string {
  const said = message.replace("(SSH) Channel open failure: ", "").trim();
  const parts = [typeof reason === "number" ? refusals[reason] : undefined, said];
  return parts.filter(Boolean).join(": ") || "it gives no reason";
}

/** A stream to a machine through another one. */
function forward(via: SshLink, { at, host, port }: ResolvedEndpoint, limits: SshLimits): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string, cause?: Error): void => {
      clearTimeout(timer);
      const text = `the jump before it could not reach it: ${reason}`;
      reject(new QnxFsError("TARGET_UNREACHABLE", { ...at, step: "connect", reason: text }, { cause }));
    };
    const timer = setTimeout(() => fail(`no answer within ${limits.connectMs / 1000} s`), limits.connectMs);
    try {
      via.client.forwardOut("127.0.0.1", 0, host, port, (error, stream) => {
        if (error !== undefined) return fail(whyRefused(error), error);
        clearTimeout(timer);
        resolve(stream);
      });
    } catch (error) {
      fail(via.ended() ?? "the connection to it is closed", error as Error);
    }
  });
}
