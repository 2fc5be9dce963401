import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Start } from "./connect.ts";

type Message = Record<string, unknown>;

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A server process spoken to in raw lines: for what no client would send, and for what it must not print. */
export interface RawServer {
  readonly pid: number;
  /** Every line of stdout so far. */
  readonly lines: readonly string[];
  stderr(): string;
  /** Waits until stderr has something in it. */
  saidOnStderr(what: RegExp): Promise<RegExpExecArray>;
  /** Writes a line as it stands. */
  send(line: string): void;
  /** Sends a request and returns its response. */
  request(method: string, params?: unknown, id?: string | number): Promise<Message>;
  /** The next message that satisfies the condition, among those that came and come. */
  message(condition: (message: Message) => boolean): Promise<Message>;
  /** The handshake. */
  initialize(protocolVersion?: string): Promise<Message>;
  endInput(): void;
  /** Stops reading the server's output, as a client that is gone does. */
  closeOutput(): void;
  kill(signal: NodeJS.Signals): void;
  readonly exited: Promise<Exit>;
}

export function startRawServer({ bin, args = [], env = {}, node }: Start): RawServer {
  const child = spawn(node, [bin, ...args], { env, stdio: ["pipe", "pipe", "pipe"] });
  const lines: string[] = [];
  const listeners = new Set<() => void>();
  let stderr = "";
  let nextId = 1;
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
    for (const listener of listeners) listener();
  });
  // A server may end while a line is being written to it.
  child.stdin.on("error", () => {});
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    for (const listener of listeners) listener();
  });
  const exited = once(child, "close").then(([code, signal]) => ({ code, signal }) as Exit);

  /** Looks again whenever the server has written something, until there is something to be found. */
  function waitFor<Found>(find: () => Found | undefined | null): Promise<Found> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = find() ?? undefined;
        if (found === undefined) return;
        listeners.delete(look);
        resolve(found);
      };
      listeners.add(look);
      exited.then(() => {
        look();
        if (listeners.has(look)) reject(new Error(`the server ended before; stderr: ${stderr}`));
      });
      look();
    });
  }

  function message(condition: (message: Message) => boolean): Promise<Message> {
    return waitFor(() => lines.map((line) => JSON.parse(line) as Message).find(condition));
  }

  function send(line: string): void {
    child.stdin.write(`${line}\n`);
  }

  async function request(method: string, params?: unknown, id: string | number = nextId++): Promise<Message> {
    send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    return message((candidate) => candidate.id === id);
  }

  return {
    pid: child.pid ?? 0,
    lines,
    stderr: () => stderr,
    saidOnStderr: (what) => waitFor(() => what.exec(stderr)),
    send,
    request,
    message,
    async initialize(protocolVersion = "2025-11-25") {
      const clientInfo = { name: "raw-test", version: "1.0.0" };
      const answer = await request(
        "initialize",
        { protocolVersion, capabilities: {}, clientInfo },
        "handshake",
      );
      send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
      return answer;
    },
    endInput: () => child.stdin.end(),
    closeOutput: () => child.stdout.destroy(),
    kill: (signal) => child.kill(signal),
    exited,
  };
}
