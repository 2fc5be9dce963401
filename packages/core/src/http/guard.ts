import { type Address, isAnyAddress, isLoopback, urlHost } from "./address.ts";

/** Decides by the headers Host and Origin whether a request may be meant for this server. */
export interface Guard {
  /** What is wrong with a request, or undefined. */
  check(headers: {
    readonly host: string | undefined;
    readonly origin: string | undefined;
  }): string | undefined;
}

function nameOf(host: string): string {
  return host
    .replace(/:\d+$/, "")
    .replace(/^\[|\]$/g, "")
    .toLowerCase();
}

function originName(origin: string): string | undefined {
  return URL.canParse(origin) ? nameOf(new URL(origin).host) : undefined;
}

/**
 * A guard against DNS rebinding: a page of another site, in a browser on this machine, that reaches the server under a
 * name of its own. A server on loopback is called by loopback names; one behind a proxy by its public URL as well.
 */
export function createGuard(address: Address, publicUrl: URL | undefined): Guard {
  const names = new Set([address.host.toLowerCase()]);
  if (publicUrl !== undefined) names.add(nameOf(publicUrl.host));
  const isLocal = isLoopback(address.host);
  const isKnown = (name: string | undefined) =>
    name !== undefined && (names.has(name) || (isLocal && isLoopback(name)));
  // A server on all addresses cannot know by which of its names it is called, but for the public one.
  const isAny = isAnyAddress(address.host) && publicUrl === undefined;
  return {
    check({ host, origin }) {
      if (host === undefined || (!isAny && !isKnown(nameOf(host)))) {
        return `Host is not ${[...names].map(urlHost).join(" or ")}; set --public-url to the URL that clients use`;
      }
      if (origin !== undefined && !isKnown(originName(origin))) return "Origin is another site";
      return undefined;
    },
  };
}
