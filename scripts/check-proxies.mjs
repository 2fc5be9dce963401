/**
 * Runs the proxy configurations of deploy/ as they stand, but for names, ports and certificate, in front of a built
 * server with tokens, and walks through each with TLS as clients do. A proxy that is not installed is told of, and is a
 * failure with `CI` set. The last line is `N passed, N failed`.
 */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { startHttpServer } from "./http-server.mjs";
import { proxyWalk } from "./proxy-walk.mjs";
import { runCommand } from "./run-command.mjs";
import { setUp } from "./set-up.mjs";
import { binOf, listServers, root } from "./workspace.mjs";

/** The name in the configurations, and the port of the server behind. */
const host = "notes.example.org";
const written = "127.0.0.1:8101";

/**
 * How to start each proxy on a folder of its own, with the configuration of deploy/ fitted to this run.
 *
 * @type {Record<string, (fit: Fit) => { args: string[], file: string, text: string }>}
 * @typedef {{ folder: string, port: number, upstream: string, certificate: string, key: string, read: (name: string) => string }} Fit
 */
const proxies = {
  nginx({ folder, port, upstream, certificate, key, read }) {
    const site = put(read("nginx.conf"), {
      "listen 443 ssl": `listen 127.0.0.1:${port} ssl`,
      [`/etc/letsencrypt/live/${host}/fullchain.pem`]: certificate,
      [`/etc/letsencrypt/live/${host}/privkey.pem`]: key,
      [written]: upstream,
    });
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
      .join(" ");
    const user = process.getuid?.() === 0 ? "user root;" : "";
    const text = `${user} daemon off; pid ${folder}/pid; error_log stderr; events {}
http { access_log ${folder}/access.log; ${temporary} ${site} }`;
    const file = path.join(folder, "nginx.conf");
    // Pages of nginx itself, as a fresh installation has them: they are not to be seen.
    mkdirSync(path.join(folder, "html"));
    for (const page of ["index.html", "metrics"]) writeFileSync(path.join(folder, "html", page), page);
    return { file, text, args: ["-p", folder, "-e", "stderr", "-c", file] };
  },
  caddy({ folder, port, upstream, certificate, key, read }) {
    const site = put(read("Caddyfile"), {
      [`${host} {`]: `${host}:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`,
      [written]: upstream,
    });
    const file = path.join(folder, "Caddyfile");
    const text = `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`;
    return { file, text, args: ["run", "--config", file, "--adapter", "caddyfile"] };
  },
};

await setUp();
let passed = 0;
let failed = 0;
const server = listServers().find(({ folder }) => folder === "app-files-mcp");
if (server === undefined) throw new Error("there is no app-files-mcp");
const folder = mkdtempSync(path.join(tmpdir(), "proxies-"));
try {
  const certificate = path.join(folder, "certificate.pem");
  const key = path.join(folder, "key.pem");
  const subject = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`];
  const made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  execFileSync("openssl", ["req", "-x509", ...made, ...subject, "-keyout", key, "-out", certificate], {
    stdio: "ignore",
  });
  for (const [name, fit] of Object.entries(proxies)) {
    if ((await runCommand(name, [name === "nginx" ? "-v" : "version"], { output: "keep" })).code !== 0) {
      console.log(`SKIPPED: ${name} is not installed.`);
      if (process.env.CI === "true") failed += 1;
      continue;
    }
    await behind(name, fit, { certificate, key });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;
console.log(`\n${passed} passed, ${failed} failed`);

/** @param {string} name @param {(fit: Fit) => { args: string[], file: string, text: string }} fit @param {{ certificate: string, key: string }} tls */
async function behind(name, fit, tls) {
  const own = path.join(folder, name);
  mkdirSync(own);
  const bin = binOf(/** @type {import("./workspace.mjs").Package} */ (server));
  const tokens = path.join(own, "tokens.json");
  const env = { PATH: process.env.PATH, HOME: own, XDG_DATA_HOME: own, XDG_CONFIG_HOME: own };
  const token = execFileSync(process.execPath, [bin, "token", "add", "ann", "--tokens", tokens], { env });
  const data = ["--data", path.join(own, "store")];
  const served = await startHttpServer(
    [bin, ...data, "--tokens", tokens, "--public-url", `https://${host}`],
    { env },
  );
  const port = await freePort();
  const upstream = new URL(served.url).host;
  const read = (/** @type {string} */ file) => readFileSync(path.join(root, "deploy", file), "utf8");
  const { args, file, text } = fit({ folder: own, port, upstream, ...tls, read });
  writeFileSync(file, text);
  const proxy = spawn(name, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [proxy.stdout, proxy.stderr]) stream.on("data", (part) => (said += part));
  try {
    await listening(port, proxy);
    const client = { host, port, ca: readFileSync(tls.certificate), token: String(token).trim() };
    for (const { what, check } of proxyWalk(client)) {
      const problem = await check().then(
        () => undefined,
        (error) => error,
      );
      console.log(`${problem === undefined ? "ok    " : "FAILED"} ${name}: ${what}`);
      if (problem === undefined) passed += 1;
      else failed += 1;
      if (problem !== undefined) console.log(`${problem.message}\n${said.slice(-2_000)}`);
    }
    const log = path.join(own, "access.log");
    const lines = existsSync(log) ? readFileSync(log, "utf8") : "";
    if (existsSync(log) && !lines.includes("/files/notes/")) throw new Error("its log has no requests");
    if (lines.includes("/files/-/")) throw new Error("secrets of links stand in its log");
  } catch (error) {
    failed += 1;
    console.log(`FAILED ${name}: ${error}\n${said.slice(-2_000)}`);
  } finally {
    proxy.kill("SIGTERM");
    await served.stop();
  }
}

/** A text with parts replaced, each of which must be there. @param {string} text @param {Record<string, string>} parts */
function put(text, parts) {
  for (const [from, to] of Object.entries(parts)) {
    if (!text.includes(from)) throw new Error(`the configuration has no ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = /** @type {import("node:net").AddressInfo} */ (probe.address());
      probe.close(() => resolve(port));
    });
  });
}

/** Waits until somebody listens. @param {number} port @param {import("node:child_process").ChildProcess} proxy */
async function listening(port, proxy) {
  for (;;) {
    if (proxy.exitCode !== null) throw new Error(`it ended with ${proxy.exitCode}`);
    const isOpen = await new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
      socket.on("connect", () => socket.destroy());
    });
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
