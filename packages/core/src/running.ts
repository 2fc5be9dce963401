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

/** A server that is ready to answer. */
export interface Running<Deps> extends Served<Deps> {
  /** The server as a caller with limits sees it: fewer tools, and only what lies in its scope. */
  restrict?(access: Access): Served<Deps>;
  readiness?(): Promise<Readiness>;
  /** Sizes for the metrics, by Prometheus names. */
  gauges?(): Promise<Readonly<Record<string, number>>>;
  /** Ends watchers, workers and connections. */
  close(): Promise<void> | void;
}

/** The server as a caller sees it: for a read-only one the reading tools, else by the server's own rules. */
export function servedTo<Deps>(running: Running<Deps>, access: Access): Served<Deps> {
  const served = running.restrict?.(access) ?? running;
  if (!access.readOnly) return served;
  const tools = served.app.tools.filter(({ effect }) => effect === "read");
  return { app: { ...served.app, tools }, deps: served.deps };
}
