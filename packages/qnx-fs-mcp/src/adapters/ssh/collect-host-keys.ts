import type { Duplex } from "node:stream";
import { type AlgorithmLists, algorithmsOf, keyTypeOfAlgorithm } from "../../domain/algorithms.ts";
import type { Configuration, Endpoint } from "../../domain/configuration.ts";
import { QnxFsError } from "../../domain/errors.ts";
import type { KeyBlob } from "../../domain/fingerprint.ts";
import { type ConnectServices, connectJumps, openStream } from "./connect-target.ts";
import { HandshakeLog } from "./handshake-log.ts";
import { type ResolvedEndpoint, resolveEndpoint } from "./resolved-endpoint.ts";
import { loadSsh2, type Ssh2, usableAlgorithms } from "./ssh2-library.ts";

/** The host keys that a machine shows, each in a handshake of its own that ends before anything is sent. */
export async function collectHostKeys(
  machine: Endpoint,
  configuration: Configuration,
  services: ConnectServices,
): Promise<{ readonly endpoint: ResolvedEndpoint; readonly keys: readonly KeyBlob[] }> {
  const endpoint = await resolveEndpoint(machine, machine.name, services);
  const { via, close } = await connectJumps(machine, configuration, services);
  try {
    const ssh2 = await loadSsh2();
    const algorithms = await usableAlgorithms(algorithmsOf(endpoint.algorithms));
    const keys: KeyBlob[] = [];
    let left = algorithms.hostKey;
    while (left.length > 0) {
      const log = new HandshakeLog();
      const stream = await openStream(via, endpoint, services.limits);
      const offer = { ...algorithms, hostKey: left };
      const shown = await firstKey(ssh2, stream, endpoint, offer, log, services.limits.loginMs).catch(
        (error) => {
          // The first handshake tells what is wrong; a later one has nothing left in common.
          if (keys.length === 0) throw error;
          return undefined;
        },
      );
      if (shown === undefined) break;
      keys.push(shown.blob);
      const offered = log.offered("remote", "hostKey");
      left = left.filter((name) => offered.includes(name) && keyTypeOfAlgorithm(name) !== shown.type);
    }
    return { endpoint, keys };
  } finally {
    close();
  }
}

/** The key of one handshake. Fails with HANDSHAKE_FAILED. */
function firstKey(
  { Client, utils }: Ssh2,
  stream: Duplex,
  { at, user }: ResolvedEndpoint,
  algorithms: AlgorithmLists,
  log: HandshakeLog,
  timeoutMs: number,
): Promise<{ readonly blob: KeyBlob; readonly type: string }> {
  const client = new Client();
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      client.destroy();
      stream.destroy();
    };
    const fail = (reason: string, cause?: unknown): void => {
      end();
      const kind = HandshakeLog.failedList(reason) === undefined ? "protocol" : "algorithms";
      reject(new QnxFsError("HANDSHAKE_FAILED", { ...at, kind, reason }, { cause }));
    };
    const timer = setTimeout(() => fail("it did not show a host key in time"), timeoutMs);
    client
      .on("error", (error) => fail(error.message, error))
      .on("close", () => fail("the connection was closed before a host key was shown"))
      .connect({
        sock: stream,
        username: user,
        readyTimeout: 0,
        algorithms: {
          kex: algorithms.kex,
          serverHostKey: algorithms.hostKey,
          cipher: algorithms.cipher,
          hmac: algorithms.mac,
        } as never,
        debug: (line: string) => log.read(line),
        hostVerifier: (blob: Buffer) => {
          const parsed = utils.parseKey(blob);
          const type = parsed instanceof Error ? "" : [parsed].flat()[0]?.type;
          resolve({ blob: Buffer.from(blob), type: type ?? "" });
          end();
          return false;
        },
      });
  });
}
