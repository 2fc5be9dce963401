import { createRemoteJWKSet, type JWTVerifyGetKey, jwtVerify } from "jose";
import type { ScopeSpec } from "../access.ts";
import type { Json } from "../json.ts";
import type { Authenticate } from "./tokens.ts";

export interface OAuthSettings {
  /** The issuer's URL, as it stands in its tokens. */
  readonly issuer: string;
  /** What a token's `aud` must name: this server. */
  readonly audience: string;
}

/** The address of the issuer's keys, from its metadata. Source: RFC 8414, OpenID Connect Discovery 1.0. */
async function findKeys(issuer: string): Promise<URL> {
  const base = new URL(issuer);
  const path = base.pathname.replace(/\/$/, "");
  const candidates = [
    `/.well-known/oauth-authorization-server${path}`,
    `${path}/.well-known/openid-configuration`,
  ];
  for (const candidate of candidates) {
    const response = await fetch(new URL(candidate, base.origin), { signal: AbortSignal.timeout(10_000) });
    if (!response.ok) continue;
    const { jwks_uri: keys } = (await response.json()) as { jwks_uri?: string };
    if (keys !== undefined) return new URL(keys);
  }
  throw new Error(`the issuer ${issuer} publishes no metadata with jwks_uri`);
}

/**
 * The server's own limits in the scopes of a token: `NAME:VALUE` for each value of a list, unless `all` lifts every
 * list, and `NAME` for a switch.
 */
export function limitsIn(scopes: readonly string[], spec: ScopeSpec): Record<string, Json> {
  const limits: Record<string, Json> = {};
  for (const [name, { kind }] of Object.entries(spec)) {
    if (kind === "switch") limits[name] = scopes.includes(name);
    else if (!scopes.includes("all")) {
      limits[name] = scopes
        .filter((scope) => scope.startsWith(`${name}:`))
        .map((scope) => scope.slice(name.length + 1));
    }
  }
  return limits;
}

/**
 * Authentication by an authorization server's JWTs, checked against its keys: signature, issuer, audience, time. The
 * scope `all` lifts the server's own lists, `write` allows changes; nothing is allowed that no scope names.
 */
export function oauthAuthentication({ issuer, audience }: OAuthSettings, spec: ScopeSpec): Authenticate {
  let keys: Promise<JWTVerifyGetKey> | undefined;
  return async (bearer) => {
    keys ??= findKeys(issuer).then((url) => createRemoteJWKSet(url));
    const getKey = await keys.catch((error) => {
      keys = undefined;
      throw error;
    });
    const verified = await jwtVerify(bearer, getKey, { issuer, audience }).catch(() => undefined);
    if (verified === undefined) return undefined;
    const { sub, scope, client_id: client } = verified.payload;
    const scopes = typeof scope === "string" ? scope.split(" ") : [];
    return {
      name: sub ?? (typeof client === "string" ? client : "unnamed"),
      readOnly: !scopes.includes("write"),
      scope: limitsIn(scopes, spec),
    };
  };
}
