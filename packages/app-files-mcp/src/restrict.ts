import type { Access, Served } from "@mcp-file-servers/core";
import { type Offer, offer } from "./app.ts";
import { type AppPolicy, createAppPolicy } from "./domain/app-name.ts";
import type { Deps } from "./tools/define.ts";

/** What a token may be limited to. */
export const scopes = {
  apps: { kind: "list", description: "names of apps or globs, as --allow-app" },
  local: { kind: "switch", description: "whether it may import from and export to the --root directories" },
} as const;

/**
 * The server as a caller over HTTP with these rights sees it. Of the apps, those that both the command line and the token allow.
 * What lies on the disk belongs to no app: a token that is limited to apps reaches it only where it says so.
 */
export function restrict(
  access: Access,
  origin: URL | undefined,
  deps: Deps,
  offered: Omit<Offer, "web">,
): Served<Deps> {
  const { apps, local } = access.scope;
  const isLimited = apps !== undefined;
  const disk = offered.disk && (local === undefined ? !isLimited : local === true);
  // A link is kept in the store, which a server may be forbidden to write.
  const web = origin && (offered.readOnly ? "urls" : "links");
  return {
    app: offer({ readOnly: offered.readOnly || access.readOnly, disk, web }),
    deps: {
      ...deps,
      policy: isLimited ? narrow(deps.policy, apps) : deps.policy,
      web: origin && { origin, caller: access.name },
    },
  };
}

/** What is no list of names, or names nothing that an app can be called, allows nothing. */
function narrow(policy: AppPolicy, apps: unknown): AppPolicy {
  const names = Array.isArray(apps) ? apps.filter((name) => typeof name === "string") : [];
  const granted = names.length === 0 ? undefined : tryPolicy(names);
  return {
    allowed: names,
    allows: (app) => (granted?.allows(app) ?? false) && policy.allows(app),
  };
}

function tryPolicy(names: readonly string[]): AppPolicy | undefined {
  try {
    return createAppPolicy(names);
  } catch {
    return undefined;
  }
}
