import type { Access } from "./access.ts";
import type { App } from "./app.ts";

/** What a caller gets to work with. */
export interface Served<Deps> {
  readonly app: App<Deps>;
  readonly deps: Deps;
}

/** Whether a server can do its work, with what stands in the way. */
export interface Readiness {
  readonly ready: boolean;
  readonly reasons: readonly string[];
}

/** How a request beside `/mcp` was answered, with what the log says of it. */
export interface RouteAnswer {
  readonly response: Response;
  /** What it was about: names alone, never contents or secrets. */
  readonly subject: string;
  /** `ok` or a code. */
  readonly outcome: string;
}

/**
 * Requests over HTTP beside `/mcp`, for what must not pass through a model. Callers, their rights, limits and log lines
 * are those of tools.
 */
export interface Routes<Deps> {
  /** The beginning of their paths, such as `/files/`. */
  readonly prefix: string;
  /** What the log and the figures call them. */
  readonly name: string;
  /** Answers a request to a caller as `restrict` has it; `access` tells whether it may write. */
  answer(request: Request, served: Served<Deps>, access: Access): Promise<RouteAnswer>;
}

/**
 * Requests over HTTP whose path is their right, such as a link with a secret in it: no token is asked for, and their
 * answers are not limited, since each of those paths was made by a call that was.
 */
export interface OpenRoutes {
  readonly prefix: string;
  readonly name: string;
  /** `caller`: on whose behalf, for the log; empty where the path gives no right. */
  answer(request: Request): Promise<RouteAnswer & { readonly caller: string }>;
}

/** A server that is ready to answer. */
export interface Running<Deps> extends Served<Deps> {
  /**
   * The server as a caller over HTTP sees it: with limits fewer tools, and only what lies in its scope. `origin` is
   * where clients reach the server, undefined where it cannot know.
   */
  restrict?(access: Access, origin: URL | undefined): Served<Deps>;
  readonly routes?: Routes<Deps>;
  readonly openRoutes?: OpenRoutes;
  readiness?(): Promise<Readiness>;
  /** Sizes for the metrics, by Prometheus names; no more of them than the caller may know. */
  gauges?(access: Access): Promise<Readonly<Record<string, number>>>;
  /** Ends watchers, workers and connections. */
  close(): Promise<void> | void;
}

/** The server as a caller sees it: for a read-only one the reading tools, else by the server's own rules. */
export function servedTo<Deps>(
  running: Running<Deps>,
  access: Access,
  origin: URL | undefined,
): Served<Deps> {
  const served = running.restrict?.(access, origin) ?? running;
  if (!access.readOnly) return served;
  const tools = served.app.tools.filter(({ effect }) => effect === "read");
  return { app: { ...served.app, tools }, deps: served.deps };
}
