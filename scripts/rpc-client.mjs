import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/**
 * @typedef {object} RpcServer a process that speaks JSON-RPC lines on its stdin and stdout
 * @property {number} pid
 * @property {(method: string, params?: object) => Promise<any>} request resolves with the result
 * @property {(method: string, params?: object) => void} notify
 * @property {() => Promise<void>} close ends its stdin and waits for its end, killing it after 5 s
 */

/**
 * Starts an MCP server for scripts that must not depend on anything installed.
 *
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string, node?: string }} [options] `node`: a binary other than this one
 * @returns {RpcServer}
 */
export function startRpcServer(args, { node = process.execPath, ...options } = {}) {
  const child = spawn(node, args, { ...options, stdio: ["pipe", "pipe", "pipe"] });
  /** @type {Map<number, { resolve: (result: any) => void, reject: (error: Error) => void }>} */
  const waiting = new Map();
  let log = "";
  let last = 0;
  child.stderr.setEncoding("utf8").on("data", (text) => {
    log += text;
  });
  // A server that ends early is told by its exit, not by the write that failed.
  child.stdin.on("error", () => {});
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, result, error } = JSON.parse(line);
    const caller = waiting.get(id);
    if (caller === undefined) return;
    waiting.delete(id);
    if (error) caller.reject(new Error(`${error.code}: ${error.message}`));
    else caller.resolve(result);
  });
  const ended = new Promise((resolve) => {
    child.on("error", (error) => {
      log += error.message;
    });
    child.on("close", (code) => {
      const error = new Error(`${args.join(" ")} ended with code ${code}: ${log.trim()}`);
      for (const { reject } of waiting.values()) reject(error);
      resolve(undefined);
    });
  });
  const send = (/** @type {object} */ message) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  };
  return {
    pid: child.pid ?? 0,
    request(method, params = {}) {
      const id = ++last;
      const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
      send({ id, method, params });
      return answer;
    },
    notify: (method, params) => send({ method, params }),
    async close() {
      child.stdin.end();
      const kill = setTimeout(() => child.kill("SIGKILL"), 5000);
      await ended;
      clearTimeout(kill);
    },
  };
}

/** The handshake. @param {RpcServer} server @returns {Promise<any>} what the server says of itself */
export async function initialize(server) {
  const result = await server.request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "scripts", version: "0" },
  });
  server.notify("notifications/initialized");
  return result;
}
