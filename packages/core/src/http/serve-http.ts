import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { type Access, localAccess } from "../access.ts";
import { rememberTools } from "../call.ts";
import type { Log } from "../log.ts";
import { type CallReport, Metrics } from "../metrics.ts";
import { type RouteAnswer, type Running, servedTo } from "../running.ts";
import { createSession } from "../server.ts";
import { ConfigurationError } from "../settings.ts";
import { type Address, isAnyAddress, isLoopback, urlHost } from "./address.ts";
import { createCallers } from "./callers.ts";
import { createGuard } from "./guard.ts";
import { HttpSessions } from "./http-sessions.ts";
import { type HttpPatience, usualPatience } from "./patience.ts";
import { refuse } from "./refuse.ts";
import { createThrottle, type ThrottleLimits } from "./throttle.ts";
import type { Authenticate } from "./tokens.ts";

export interface HttpOptions {
  readonly address: Address;
  /** The URL that clients use, where a proxy stands before the server. */
  readonly publicUrl?: URL | undefined;
  /** Who calls; without it the server serves everyone and must be on loopback. */
  readonly authenticate?: Authenticate | undefined;
  /** The authorization server to name to clients, where tokens come from one. */
  readonly issuer?: string | undefined;
  readonly limits: ThrottleLimits;
  readonly maxResultBytes: number;
  readonly patience?: HttpPatience;
  readonly log: Log;
  readonly now: () => number;
}

export interface HttpServer {
  readonly url: string;
  readonly metrics: Metrics;
  /** Takes no new requests; waits up to `waitMs` for those under way, then ends everything. */
  close(waitMs: number): Promise<void>;
}

type Env = { Bindings: HttpBindings; Variables: { caller: Access } };

function tooMany(retryAfterSeconds: number): Response {
  return refuse(429, -32000, "too many requests", { headers: { "retry-after": String(retryAfterSeconds) } });
}

/** Resolves when the response has been sent, or when the client is gone, as it may have been before it was known. */
function sent({ env: { outgoing } }: Context<Env>): Promise<void> {
  return new Promise((resolve) => (outgoing.closed ? resolve() : outgoing.once("close", resolve)));
}

/** Serves MCP's Streamable HTTP at `/mcp`, with `/healthz`, `/readyz` and `/metrics` beside it. */
export async function serveHttp<Deps>(running: Running<Deps>, options: HttpOptions): Promise<HttpServer> {
  const { address, publicUrl, authenticate, issuer, log, now, patience = usualPatience } = options;
  // Whoever comes through a proxy is on loopback too.
  const isLocal = isLoopback(address.host) && publicUrl === undefined;
  if (authenticate === undefined && !isLocal) {
    const what = publicUrl === undefined ? `--http ${address.host}` : "--public-url";
    throw new ConfigurationError(
      `${what} opens the server to others: give --tokens or --oauth-issuer, or listen on loopback without --public-url`,
    );
  }
  const metrics = new Metrics();
  const throttle = createThrottle(options.limits, now);
  const report = (call: CallReport) => {
    metrics.count(call);
    const { tool, caller, subject, outcome, durationMs } = call;
    log.info("call", { token: caller, tool, subject, outcome, ms: Math.round(durationMs) });
  };
  const register = rememberTools();
  const sessions = new HttpSessions((access) => {
    const { app, deps } = servedTo(running, access, origin);
    return createSession(app, deps, {
      maxResultBytes: options.maxResultBytes,
      log,
      caller: access.name,
      report,
      register,
    });
  }, now);
  let guard = createGuard(address, publicUrl);
  /** Where clients reach the server; one on all addresses cannot know. */
  let origin = publicUrl && new URL("/", publicUrl);

  const callers = createCallers(authenticate, issuer, ({ url }) => origin ?? new URL(url));

  /** Ends a message that does not come to its end. */
  function awaitMessage({ env: { incoming } }: Context<Env>, done: Promise<void>): void {
    const late = setTimeout(() => incoming.complete || incoming.destroy(), patience.message);
    done.finally(() => clearTimeout(late));
  }

  /** Ends the stream of a listener whose rights are no longer what they were. */
  function watchListener(c: Context<Env>, caller: Access, done: Promise<void>): void {
    const look = setInterval(async () => {
      const current = await callers.of(c.req.raw).catch(() => caller);
      if (JSON.stringify(current) !== JSON.stringify(caller)) c.env.outgoing.destroy();
    }, patience.listening);
    done.finally(() => clearInterval(look));
  }

  /** Answers that are being sent, or will be. */
  const sending = new Set<Promise<void>>();
  function waitFor(done: Promise<void>): void {
    sending.add(done);
    done.finally(() => sending.delete(done));
  }

  const http = new Hono<Env>();
  http.get("/healthz", (c) => c.text("ok\n"));
  http.use(async (c, next) => {
    const wrong = guard.check({ host: c.req.header("host"), origin: c.req.header("origin") });
    return wrong === undefined ? next() : refuse(403, -32000, wrong);
  });
  http.get("/.well-known/oauth-protected-resource/:path?", (c) => {
    const metadata = callers.metadata(c.req.raw);
    return metadata === undefined ? c.notFound() : c.json(metadata);
  });
  const forOperators: MiddlewareHandler<Env> = async (c, next) => {
    const caller = isLocal ? localAccess : await callers.of(c.req.raw);
    if (caller instanceof Response) return caller;
    c.set("caller", caller);
    return next();
  };
  http.use("/readyz", forOperators);
  http.use("/metrics", forOperators);
  http.get("/readyz", async (c) => {
    const { ready, reasons } = (await running.readiness?.()) ?? { ready: true, reasons: [] };
    return c.text(`${[ready ? "ready" : "not ready", ...reasons].join("\n")}\n`, ready ? 200 : 503);
  });
  http.get("/metrics", async (c) => {
    const connections = await promisify(server.getConnections.bind(server))();
    const own = await running.gauges?.(c.get("caller"));
    const gauges = { mcp_connections: connections, mcp_sessions: sessions.size, ...own };
    return c.text(metrics.write(gauges), 200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" });
  });
  http.all("/mcp", async (c) => {
    const caller = await callers.of(c.req.raw);
    if (caller instanceof Response) return caller;
    const pass = throttle.enter(caller.name);
    if ("retryAfterSeconds" in pass) return tooMany(pass.retryAfterSeconds);
    const done = sent(c);
    // A listening stream is no work; only what is asked counts.
    if (c.req.method === "GET") {
      pass.leave();
      watchListener(c, caller, done);
    } else {
      done.finally(pass.leave);
      awaitMessage(c, done);
      waitFor(done);
    }
    return sessions.answer(c.req.raw, caller, done);
  });
  const { routes, openRoutes } = running;
  /** Answers a request beside `/mcp`, and tells of it when the response has been sent. */
  async function respond(
    c: Context<Env>,
    { tool, caller }: Pick<CallReport, "tool" | "caller">,
    answer: () => Promise<RouteAnswer & { readonly caller?: string }>,
  ): Promise<Response> {
    const begin = now();
    const done = sent(c);
    try {
      const { response, ...told } = await answer();
      waitFor(done);
      done.finally(() => report({ tool, caller, ...told, durationMs: now() - begin }));
      return response;
    } catch (error) {
      report({ tool, caller, subject: "", outcome: "INTERNAL", durationMs: now() - begin });
      throw error;
    }
  }
  if (openRoutes !== undefined) {
    const { prefix, name: tool } = openRoutes;
    http.all(`${prefix}*`, (c) => respond(c, { tool, caller: "" }, () => openRoutes.answer(c.req.raw)));
  }
  if (routes !== undefined) {
    http.all(`${routes.prefix}*`, async (c) => {
      const caller = await callers.of(c.req.raw);
      if (caller instanceof Response) return caller;
      const pass = throttle.enter(caller.name);
      if ("retryAfterSeconds" in pass) return tooMany(pass.retryAfterSeconds);
      sent(c).finally(pass.leave);
      return respond(c, { tool: routes.name, caller: caller.name }, () =>
        routes.answer(c.req.raw, servedTo(running, caller, origin), caller),
      );
    });
  }
  http.onError((error, c) => {
    log.error("a request failed", { error });
    return c.text("internal error\n", 500);
  });

  const server = createAdaptorServer({
    fetch: http.fetch,
    serverOptions: {
      headersTimeout: patience.headers,
      requestTimeout: routes === undefined ? patience.message : patience.file,
      connectionsCheckingInterval: patience.headers / 4,
    },
  });
  server.setTimeout(patience.silence);
  server.listen(address.port, address.host);
  await once(server, "listening").catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(
      `--http ${urlHost(address.host)}:${address.port} cannot be listened on (${error.code})`,
    );
  });
  const { port } = server.address() as AddressInfo;
  guard = createGuard({ ...address, port }, publicUrl);
  if (!isAnyAddress(address.host)) origin ??= new URL(`http://${urlHost(address.host)}:${port}`);
  return {
    url: `http://${urlHost(address.host)}:${port}/mcp`,
    metrics,
    async close(waitMs) {
      server.close();
      const answered = Promise.all([sessions.idle(), ...sending]);
      await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, waitMs).unref())]);
      await sessions.close();
      if ("closeAllConnections" in server) server.closeAllConnections();
    },
  };
}
