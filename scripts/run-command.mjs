import { spawn } from "node:child_process";
import path from "node:path";
import { root } from "./workspace.mjs";

/** The environment of the commands that scripts start: the workspace's own tools first on the PATH, nothing phones home. */
export function toolEnvironment() {
  const tools = path.join(root, "node_modules", ".bin");
  return {
    ...process.env,
    PATH: `${tools}${path.delimiter}${process.env.PATH ?? ""}`,
    DO_NOT_TRACK: "1",
    TURBO_TELEMETRY_DISABLED: "1",
    TURBO_NO_UPDATE_NOTIFIER: "1",
    npm_config_update_notifier: "false",
    // `npm run --silent` hands its silence on, and a failure would leave no reason.
    npm_config_loglevel: "warn",
  };
}

/**
 * Runs a command to its end.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, output?: "show" | "keep" }} [options] `keep` collects what it
 *   prints instead of showing it
 * @returns {Promise<{ code: number, output: string }>} 128 and more for a signal; 127 when it could not be started
 */
export function runCommand(command, args, { cwd = root, env = toolEnvironment(), output = "show" } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env,
      // npm and npx are batch files there, which only a shell can start.
      shell: process.platform === "win32" && ["npm", "npx"].includes(command),
      stdio: output === "show" ? ["ignore", "inherit", "inherit"] : ["ignore", "pipe", "pipe"],
    });
    let kept = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text) => {
        kept += text;
      });
    }
    child.on("error", (error) => resolve({ code: 127, output: `${kept}${error.message}\n` }));
    child.on("close", (code) => resolve({ code: code ?? 128, output: kept }));
  });
}

/** Ends the process with one line on stderr. @param {string} line @returns {never} */
export function fail(line) {
  console.error(line);
  process.exit(1);
}
