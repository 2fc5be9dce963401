import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));

/**
 * The built server over stdio, after the handshake.
 *
 * @param {readonly string[]} args its command line
 * @param {Record<string, string>} variables added to the environment
 */
export async function startServer(args, variables = {}) {
  const child = spawn(process.execPath, [main, ...args, "--log-level", "error"], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, ...variables },
  });
  /** @type {Map<number, (message: any) => void>} */
  const waiting = new Map();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  let id = 0;
  /** @param {string} method @param {object} params @returns {Promise<any>} */
  const request = (method, params) =>
    new Promise((resolve) => {
      id += 1;
      waiting.set(id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  await request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  });
  return {
    child,
    /** @param {string} name @param {object} callArgs @returns {Promise<any>} */
    async call(name, callArgs) {
      const { result } = await request("tools/call", { name, arguments: callArgs });
      if (result.isError) throw new Error(result.content[0].text);
      return result.structuredContent;
    },
    async end() {
      child.stdin.end();
      await new Promise((resolve) => child.once("exit", resolve));
    },
  };
}
