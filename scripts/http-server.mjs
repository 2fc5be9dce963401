import { spawn } from "node:child_process";

/**
 * @typedef {object} HttpServer a server that listens on loopback
 * @property {number} pid
 * @property {string} url of its MCP endpoint
 * @property {() => string} log what it wrote to stderr; the last 100,000 characters
 * @property {() => Promise<void>} stop asks it to end and waits for it; throws when it does not end with 0
 */

/**
 * Starts a built server over HTTP, on a free port of loopback.
 *
 * @param {readonly string[]} args the file to start and its arguments
 * @param {{ env?: NodeJS.ProcessEnv, node?: string }} [options] `node`: a binary other than this one
 * @returns {Promise<HttpServer>}
 */
export function startHttpServer(args, { node = process.execPath, env } = {}) {
  const child = spawn(node, [...args, "--http", "127.0.0.1:0"], { env, stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  /** @type {Promise<number>} */
  const ended = new Promise((resolve) => child.on("close", (code) => resolve(code ?? 128)));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    ended.then((code) => reject(new Error(`${args.join(" ")} ended with code ${code}: ${log.trim()}`)));
    child.stderr.setEncoding("utf8").on("data", (text) => {
      log = `${log}${text}`.slice(-100_000);
      const url = /serves (http:\S+)/.exec(log)?.[1];
      if (url === undefined) return;
      resolve({
        pid: child.pid ?? 0,
        url,
        log: () => log,
        async stop() {
          child.kill("SIGTERM");
          const kill = setTimeout(() => child.kill("SIGKILL"), 10_000);
          const code = await ended;
          clearTimeout(kill);
          if (code !== 0) throw new Error(`${args.join(" ")} did not end by itself: ${code}\n${log}`);
        },
      });
    });
  });
}
