import type { Duplex } from "node:stream";
import type { AuthHandlerMiddleware, Client } from "ssh2";
import { type AlgorithmLists, presetsWith } from "../../domain/algorithms.ts";
import { type HandshakeProblem, type HostKeyNote, QnxFsError } from "../../domain/errors.ts";
import { fingerprintOf, type KeyBlob, keyTypeOf } from "../../domain/fingerprint.ts";
import { type HostKnowledge, judgeHostKey, noteOf } from "../../domain/host-keys.ts";
import type { TargetFacts } from "../../domain/targets.ts";
import { gatherWrites } from "./gather-writes.ts";
import { HandshakeLog, listTitles } from "./handshake-log.ts";
import type { SshLimits } from "./limits.ts";
import { LoginDialogue } from "./login-dialogue.ts";
import type { Login } from "./login-methods.ts";
import type { ResolvedEndpoint } from "./resolved-endpoint.ts";
import type { Ssh2 } from "./ssh2-library.ts";
import { keepsNoReads, TargetSocket } from "./target-socket.ts";

/** A machine that SSH is logged in to. */
export interface SshLink {
  readonly client: Client;
  readonly facts: Pick<TargetFacts, "server" | "algorithms">;
  /** Why it ended; undefined while it lives. */
  readonly ended: () => string | undefined;
}

export interface LinkRequest {
  readonly endpoint: ResolvedEndpoint;
  readonly login: Login;
  readonly algorithms: AlgorithmLists;
  readonly known: HostKnowledge;
  /** The files that were looked in for its keys. */
  readonly lookedIn: readonly string[];
  /** Keeps a host key from now on; called only where the first key seen is to be trusted. */
  readonly pin: (blob: KeyBlob) => Promise<void>;
  readonly limits: SshLimits;
  /** What the two sides offer is noted here, also when it fails. */
  readonly log: HandshakeLog;
}

/** Shakes hands over a stream, checks the host key before anything is sent, and logs in. The stream is closed on failure. */
export function openLink(ssh2: Ssh2, stream: Duplex, request: LinkRequest): Promise<SshLink> {
  const { endpoint, algorithms, limits, log } = request;
  const { at, user } = endpoint;
  const client = new ssh2.Client();
  const dialogue = new LoginDialogue(request.login, () => client.destroy());
  let refusal: QnxFsError | undefined;
  let negotiated: TargetFacts["algorithms"] | undefined;
  let accepted: KeyBlob | undefined;
  let ended: string | undefined;

  function verify(blob: KeyBlob): boolean {
    // Asked again at each rekey: the key that was accepted stays accepted.
    if (accepted !== undefined) return Buffer.from(accepted).equals(blob);
    refusal = judge(blob, request);
    if (refusal === undefined) accepted = Buffer.from(blob);
    return refusal === undefined;
  }

  return new Promise((resolve, reject) => {
    const fail = (error: QnxFsError): void => {
      clearTimeout(timer);
      reject(refusal ?? error);
      client.destroy();
      stream.destroy();
    };
    const failLogin = (kind: "refused" | "timeout", said?: string): void =>
      fail(
        new QnxFsError(
          "AUTH_FAILED",
          { ...at, ...dialogue.outcome(user, kind, said) },
          { cause: request.login.problems[0] },
        ),
      );
    const failHandshake = (problem: HandshakeProblem, cause?: unknown): void =>
      fail(new QnxFsError("HANDSHAKE_FAILED", { ...at, ...problem }, { cause }));
    const timer = setTimeout(() => {
      if (negotiated !== undefined) failLogin("timeout");
      else failHandshake({ kind: "timeout", reason: `it did not end within ${limits.loginMs / 1000} s` });
    }, limits.loginMs);

    /** Whether a first key is to be kept: by now the target has proved that it holds it, and nothing was sent. */
    const mustPin = (allowed: readonly string[] | null): boolean => allowed === null && isFirstUse(request);
    const pinThen = (proceed: () => void): void => {
      request.pin(accepted as KeyBlob).then(proceed, (error: unknown) => {
        failHandshake(
          { kind: "protocol", reason: "its host key could not be kept in the state directory" },
          error,
        );
      });
    };

    client
      .on("handshake", ({ kex, serverHostKey, cs, sc }) => {
        if (stream instanceof TargetSocket) stream.reusesBuffer = keepsNoReads(sc.cipher);
        negotiated = { kex, hostKey: serverHostKey, cipher: cs.cipher, mac: cs.mac || "implicit" };
      })
      .on("change password", (prompt) => dialogue.refuseNewPassword(prompt))
      .on("ready", () => {
        clearTimeout(timer);
        if (negotiated === undefined) return;
        silence(client);
        const facts = { server: log.server, algorithms: negotiated };
        resolve({ client, facts, ended: () => ended });
      })
      .on("error", (error: Error & { level?: string }) => {
        ended ??= reasonOf(error);
        if (error.level === "agent" || /signing/i.test(error.message)) {
          dialogue.noteAgentProblem(error.message);
          ended = undefined;
        } else if (negotiated !== undefined) {
          failLogin("refused", error.level === "client-authentication" ? undefined : error.message);
        } else {
          failHandshake(handshakeProblem(error, request), error);
        }
      })
      .on("close", () => {
        ended ??= "the target closed the connection";
        if (negotiated !== undefined) failLogin("refused");
        else
          failHandshake({
            kind: "protocol",
            reason: "the connection was closed before the handshake was done",
          });
      });
    gatherWrites(stream);
    client.connect({
      sock: stream,
      username: user,
      readyTimeout: 0,
      keepaliveInterval: limits.keepaliveMs,
      keepaliveCountMax: limits.keepalives,
      algorithms: {
        kex: algorithms.kex,
        serverHostKey: algorithms.hostKey,
        cipher: algorithms.cipher,
        hmac: algorithms.mac,
        compress: ["none"],
      } as never,
      debug: (line: string) => log.read(line),
      hostVerifier: (blob: Buffer) => verify(blob),
      authHandler: ((allowed, _partial, next) => {
        if (mustPin(allowed)) pinThen(() => next(dialogue.next(allowed) as never));
        else return dialogue.next(allowed);
      }) as AuthHandlerMiddleware,
    });
  });
}

/** Whether the first key that is seen is to be trusted and kept. */
function isFirstUse({ endpoint, known }: LinkRequest): boolean {
  return endpoint.firstUse && known.pin === undefined && known.keys.length === 0;
}

/** Why a host key is refused; undefined when it is the host's, or the first one of a host that may show any. */
function judge(blob: KeyBlob, request: LinkRequest): QnxFsError | undefined {
  const { endpoint, known, lookedIn } = request;
  const { at } = endpoint;
  const judged = judgeHostKey(blob, known);
  const presented: HostKeyNote[] = [noteOf(blob)];
  switch (judged.verdict) {
    case "accepted":
      return undefined;
    case "revoked":
      return new QnxFsError("HOST_KEY_CHANGED", { ...at, expected: [], presented, revokedIn: judged.source });
    case "changed":
      return new QnxFsError("HOST_KEY_CHANGED", { ...at, expected: judged.expected, presented });
    case "unknown": {
      if (isFirstUse(request)) return undefined;
      const authority = known.authority === undefined ? {} : { authority: known.authority };
      const key = { type: keyTypeOf(blob), fingerprint: fingerprintOf(blob) };
      return new QnxFsError("HOST_KEY_UNKNOWN", { ...at, ...key, lookedIn, ...authority });
    }
  }
}

function handshakeProblem(error: Error, { log, endpoint }: LinkRequest): HandshakeProblem {
  const list = HandshakeLog.failedList(error.message);
  if (list !== undefined) {
    const theirs = log.offered("remote", list);
    const preset = presetsWith(list, theirs).find((name) => name !== endpoint.algorithms.preset);
    const ours = log
      .offered("local", list)
      .filter((name) => !name.startsWith("kex-strict") && !name.startsWith("ext-info"));
    const offer = { what: listTitles[list], ours, theirs, ...(preset !== undefined && { preset }) };
    return { kind: "algorithms", reason: `the two sides have no ${listTitles[list]} in common`, offer };
  }
  const reason = reasonOf(error);
  return { kind: isIntegrityProblem(reason) ? "integrity" : "protocol", reason };
}

/** Whether a message is about damaged packets, which on QNX mostly means a MAC that two sides compute differently. */
export function isIntegrityProblem(reason: string): boolean {
  return /\bmac\b|bad packet length|corrupted/i.test(reason);
}

function reasonOf(error: Error & { level?: string }): string {
  if (error.level === "client-timeout") return "it answered no keepalive";
  if (error.message === "Connection lost before handshake")
    return "it closed the connection before it said a word of SSH";
  return error.message;
}

/** Stops ssh2's debug lines, which it would write for every packet. The version of ssh2 is pinned. */
function silence(client: Client): void {
  const { _protocol: protocol } = client as Client & { _protocol?: { _debug?: unknown } };
  if (protocol !== undefined) protocol._debug = undefined;
}
