/**
 * What the benches share: OpenSSH's sshd with keys for the run, proxies before it, the built server over a
 * configuration, and `sftp` beside it.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { bundleOptions } from "../../../scripts/bundle-options.mjs";
import { initialize, startRpcServer } from "../../../scripts/rpc-client.mjs";

const here = (/** @type {string} */ file) => fileURLToPath(new URL(file, import.meta.url));

/** @typedef {Awaited<ReturnType<typeof prepare>>} Bench */

/** Runs a bench and ends all that it started. @param {(bench: Bench) => Promise<void>} run */
export async function withBench(run) {
  const folder = mkdtempSync(path.join(tmpdir(), "qnx-fs-bench-"));
  /** @type {(() => unknown)[]} */
  const ends = [() => rmSync(folder, { recursive: true, force: true })];
  try {
    await run(await prepare(folder, ends));
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

/** @param {string} folder @param {(() => unknown)[]} ends */
async function prepare(folder, ends) {
  const { startSshd } = await importBundled(folder, "../test/start-sshd.ts");
  const sshd = await startSshd();
  ends.push(sshd.stop);
  const { host, user, userKey, fingerprints } = sshd;
  return {
    folder,
    port: /** @type {number} */ (sshd.port),
    /** How the configuration describes the machine behind a port. @param {number} port */
    describe: (port) => ({ host, port, user, identity_file: userKey, host_key: fingerprints.ed25519 }),

    /**
     * A proxy before sshd. @param {number} delay milliseconds each way @param {number} [rate] bytes a second
     * @returns {Promise<{ port: number, connections: () => number }>}
     */
    startProxy(delay, rate = 0) {
      const args = [here("delay-proxy.mjs"), sshd.port, delay, rate].map(String);
      const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
      ends.push(() => child.kill());
      let connections = 0;
      return new Promise((resolve) => {
        createInterface({ input: child.stdout }).on("line", (line) => {
          if (line === "connection") connections++;
          else resolve({ port: Number(line), connections: () => connections });
        });
      });
    },

    /** The built server, initialized. @param {object} configuration */
    async serve(configuration) {
      const config = path.join(folder, "config.yaml");
      writeFileSync(config, JSON.stringify(configuration));
      const server = startRpcServer([here("../dist/main.js"), "--config", config]);
      ends.push(() => server.close());
      await initialize(server);
      return {
        pid: server.pid,
        /** @param {string} name @param {object} args */
        async call(name, args) {
          const { isError, content } = await server.request("tools/call", { name, arguments: args });
          if (isError) throw new Error(content[0].text);
        },
      };
    },

    /** Lets `sftp` do one command. @param {number} port @param {string} command @returns {Promise<void>} */
    sftp(port, command) {
      const options = ["StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "LogLevel=ERROR"];
      const args = ["-q", "-P", String(port), "-i", userKey, ...options.flatMap((option) => ["-o", option])];
      const child = spawn("sftp", [...args, "-b", "-", `${user}@${host}`], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      child.stdout.resume();
      child.stdin.end(`${command}\n`);
      return new Promise((resolve, reject) => {
        child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`sftp ended with ${code}`))));
      });
    },
  };
}

/** Milliseconds that something takes. @param {() => Promise<unknown>} work */
export async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** @param {number[]} values */
export function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** A module in TypeScript. @param {string} folder @param {string} file */
async function importBundled(folder, file) {
  const outfile = path.join(folder, "bundled.mjs");
  const { splitting: _splitting, ...options } = bundleOptions;
  await build({ ...options, entryPoints: [here(file)], outfile });
  return import(pathToFileURL(outfile).href);
}
