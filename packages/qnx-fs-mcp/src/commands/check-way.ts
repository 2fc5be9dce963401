import { lookup } from "node:dns/promises";
import type { Duplex } from "node:stream";
import {
  type ConnectServices,
  connectEndpoint,
  openStream,
  type TargetLink,
} from "../adapters/ssh/connect-target.ts";
import { type ResolvedEndpoint, resolveEndpoint } from "../adapters/ssh/resolved-endpoint.ts";
import type { SshLink } from "../adapters/ssh/ssh-link.ts";
import { type Configuration, jumpsTo, type Target } from "../domain/configuration.ts";
import { type At, type FailureCode, QnxFsError } from "../domain/errors.ts";
import type { CheckStep, StepOutcome } from "./check-step.ts";

/** The step at which logging in fails with a code. */
const stepOf: Readonly<Partial<Record<FailureCode, CheckStep>>> = {
  HANDSHAKE_FAILED: "algorithms",
  HOST_KEY_UNKNOWN: "host key",
  HOST_KEY_CHANGED: "host key",
  AUTH_FAILED: "login",
  KEY_ENCRYPTED: "login",
  KEY_UNREADABLE: "login",
};

/**
 * Logs in to each machine on the way to a target, jumps first, step by step. Ends at the first step that fails; gives
 * the link to the target, which its owner closes, when none does.
 */
export async function* checkWay(
  target: Target,
  configuration: Configuration,
  services: ConnectServices,
): AsyncGenerator<StepOutcome, TargetLink | undefined> {
  const links: SshLink[] = [];
  const close = (): void => {
    for (const { client } of links.toReversed()) client.end().destroy();
  };
  let step: CheckStep = "settings";
  let jump: string | undefined;
  const ok = (at: CheckStep, found: string): StepOutcome => ({ step: at, jump, found });
  let arrived: TargetLink | undefined;
  try {
    for (const machine of [...jumpsTo(target, configuration), target]) {
      jump = machine === target ? undefined : machine.name;
      step = "settings";
      const endpoint = await resolveEndpoint(machine, target.name, services);
      const { at, host, user } = endpoint;
      yield ok(step, `${user} at ${at.endpoint}`);
      const via = links.at(-1);
      if (via === undefined) {
        step = "name";
        yield ok(step, `${host} is ${await addressOf(endpoint)}`);
      }
      step = "port";
      const stream = await openStream(via, endpoint, services.limits);
      yield ok(step, `${at.endpoint} accepts connections`);
      step = "banner";
      yield ok(step, await bannerOf(stream, at, services.limits.loginMs));
      step = "algorithms";
      const link = await connectEndpoint(endpoint, via, services);
      links.push(link);
      const { kex, cipher, mac, hostKey } = link.facts.algorithms;
      const integrity = mac === "implicit" ? "which needs no MAC" : mac;
      yield ok(step, `${kex}, ${cipher}, ${integrity}; server ${JSON.stringify(link.facts.server)}`);
      yield ok("host key", `${hostKey} is the one that is known`);
      yield ok("login", `as ${user}`);
      if (machine === target) arrived = { link, endpoint, close };
    }
    return arrived;
  } catch (error) {
    if (!(error instanceof QnxFsError)) throw error;
    if (step === "algorithms") step = stepOf[error.code as FailureCode] ?? step;
    yield { step, jump, failure: error };
    return undefined;
  } finally {
    if (arrived === undefined) close();
  }
}

async function addressOf({ host, at }: ResolvedEndpoint): Promise<string> {
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
      })
      .resume();
  });
}
