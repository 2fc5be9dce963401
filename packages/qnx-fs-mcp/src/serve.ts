import type { Access, Running, ScopeSpec } from "@mcp-file-servers/core";
import { compilePattern } from "@mcp-file-servers/glob";
import { app, readOnlyApp } from "./app.ts";
import { LimitedTargets } from "./domain/limit-targets.ts";
import { NoLocalFiles } from "./domain/no-local-files.ts";
import type { Deps } from "./tools/define.ts";

/** What a token of this server may be limited to. */
export const scopes: ScopeSpec = {
  targets: { kind: "list", description: "names of targets, or globs of names" },
  local: { kind: "switch", description: "true: paths of the host within local_roots may be used" },
};

/** The caller that started the server; over HTTP without tokens, on loopback, everyone is that. */
const ownCaller = "local";

/** This server at work. `close` ends all connections. */
export function serve(deps: Deps, close: () => void): Running<Deps> {
  const served = deps.readOnly ? readOnlyApp : app;
  return {
    app: served,
    deps,
    restrict: (access) => ({ app: served, deps: restrictDeps(deps, access) }),
    async readiness() {
      const { configured, problem, configFile } = await deps.targets.allowed();
      const reason = problem ?? (configured ? undefined : `there is no configuration file ${configFile}`);
      return { ready: reason === undefined, reasons: reason === undefined ? [] : [reason] };
    },
    async gauges() {
      const { targets } = await deps.targets.allowed();
      const count = (state: string): number =>
        targets.filter(({ connection }) => connection.state === state).length;
      return {
        qnx_fs_targets: targets.length,
        qnx_fs_targets_connected: count("connected"),
        qnx_fs_targets_failed: count("failed"),
      };
    },
    close,
  };
}

/** What a caller works with: its targets alone, and the host's files only where its token says so. */
function restrictDeps(deps: Deps, { name, scope }: Access): Deps {
  const { targets, local } = scope;
  const named = Array.isArray(targets) ? targets.filter((item) => typeof item === "string") : undefined;
  const patterns = named?.map((pattern) => compilePattern(pattern));
  return {
    ...deps,
    targets:
      patterns === undefined
        ? deps.targets
        : new LimitedTargets(deps.targets, (target) => patterns.some((matches) => matches(target))),
    local: local === true || (name === ownCaller && local === undefined) ? deps.local : new NoLocalFiles(),
  };
}
