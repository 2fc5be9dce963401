import type { Socket } from "node:net";
import { type At, QnxFsError } from "../../domain/errors.ts";
import { TargetSocket } from "./target-socket.ts";

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused: nothing listens on that port",
  EHOSTUNREACH: "there is no route to the host",
  ENETUNREACH: "there is no route to the network",
  ENOTFOUND: "the host name is not known",
  EAI_AGAIN: "the host name could not be looked up",
  ECONNRESET: "the connection was reset",
  ETIMEDOUT: "the host did not answer",
};

/** A TCP connection to a host; fails with TARGET_UNREACHABLE. */
export function openSocket(host: string, port: number, at: At, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = new TargetSocket();
    const fail = (reason: string, cause?: Error): void => {
      clearTimeout(timer);
      socket.destroy();
      reject(new QnxFsError("TARGET_UNREACHABLE", { ...at, step: "connect", reason }, { cause }));
    };
    const timer = setTimeout(
      () => fail(`the host did not answer within ${Math.round(timeoutMs / 1000)} s`),
      timeoutMs,
    );
    const onError = (error: NodeJS.ErrnoException): void => {
      const code = error.code ?? "";
      fail(reasons[code] ?? `the connection failed (${code || error.message})`, error);
    };
    socket.once("error", onError).once("connect", () => {
      clearTimeout(timer);
      socket.off("error", onError);
      resolve(socket);
    });
    socket.connect({ host, port });
  });
}
