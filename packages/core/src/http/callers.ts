import { type Access, localAccess } from "../access.ts";
import { refuse } from "./refuse.ts";
import type { Authenticate } from "./tokens.ts";

/** What a client without a token is told. Source: RFC 9728. */
interface ResourceMetadata {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly bearer_methods_supported: readonly string[];
}

/** Tells who calls by the bearer token of a request. */
export interface Callers {
  /** Who calls, or what is answered to who may not. */
  of(request: Request): Promise<Access | Response>;
  /** Where tokens come from; undefined where no authorization server gives them. */
  metadata(request: Request): ResourceMetadata | undefined;
}

/**
 * @param authenticate absent where everybody may call
 * @param issuer the authorization server, where there is one
 * @param originOf where the client of a request reaches the server
 */
export function createCallers(
  authenticate: Authenticate | undefined,
  issuer: string | undefined,
  originOf: (request: Request) => URL,
): Callers {
  function challengeTo(request: Request): string {
    if (issuer === undefined) return "Bearer";
    return `Bearer resource_metadata="${new URL("/.well-known/oauth-protected-resource", originOf(request)).href}"`;
  }
  return {
    async of(request) {
      if (authenticate === undefined) return localAccess;
      const bearer = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
      const access = bearer === undefined ? undefined : await authenticate(bearer);
      const headers = { "www-authenticate": challengeTo(request) };
      return access ?? refuse(401, -32000, "a valid bearer token is needed", { headers });
    },
    metadata(request) {
      if (issuer === undefined) return undefined;
      return {
        resource: new URL("/mcp", originOf(request)).href,
        authorization_servers: [issuer],
        bearer_methods_supported: ["header"],
      };
    },
  };
}
