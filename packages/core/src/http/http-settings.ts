import type { ScopeSpec } from "../access.ts";
import type { CommonValues } from "../common-options.ts";
import { ConfigurationError } from "../settings.ts";
import { parseAddress } from "./address.ts";
import { oauthAuthentication } from "./oauth.ts";
import type { HttpOptions } from "./serve-http.ts";
import { type Authenticate, tokenAuthentication } from "./tokens.ts";

function parseUrl(text: string, flag: string): URL {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new ConfigurationError(`${flag} must be an http or https URL, not ${JSON.stringify(text)}`);
  }
  return new URL(text);
}

async function authenticationOf(
  values: CommonValues,
  scopes: ScopeSpec,
  now: () => number,
): Promise<Authenticate | undefined> {
  const { tokens, oauthIssuer: issuer, oauthAudience: audience } = values;
  if ((issuer === undefined) !== (audience === undefined)) {
    throw new ConfigurationError("--oauth-issuer and --oauth-audience are needed together");
  }
  const byToken = tokens === undefined ? undefined : await tokenAuthentication(tokens, now);
  if (issuer === undefined || audience === undefined) return byToken;
  parseUrl(issuer, "--oauth-issuer");
  const byJwt = oauthAuthentication({ issuer, audience }, scopes);
  return async (bearer) => (await byToken?.(bearer)) ?? (bearer.includes(".") ? byJwt(bearer) : undefined);
}

/** How to serve over HTTP by these settings; `http` among them is set. Throws ConfigurationError. */
export async function httpSettings(
  values: CommonValues,
  scopes: ScopeSpec,
  now: () => number,
): Promise<Omit<HttpOptions, "log">> {
  return {
    address: parseAddress(values.http ?? ""),
    publicUrl: values.publicUrl === undefined ? undefined : parseUrl(values.publicUrl, "--public-url"),
    authenticate: await authenticationOf(values, scopes, now),
    issuer: values.oauthIssuer,
    limits: { requestsPerMinute: values.requestsPerMinute, concurrent: values.concurrent },
    maxResultBytes: values.maxResultBytes,
    now,
  };
}
