import { isIPv6 } from "node:net";
import { ConfigurationError } from "../settings.ts";

/** Where a server listens. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

const loopbackNames = ["localhost", "127.0.0.1", "::1"];

/** Whether a host can be reached from this machine alone. */
export function isLoopback(host: string): boolean {
  return loopbackNames.includes(host) || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Reads `[HOST:]PORT`; an IPv6 address stands in brackets; without a host it is loopback. */
export function parseAddress(text: string): Address {
  const found = /^(?:(?<host>\[[^\]]+\]|[^:[\]]+):)?(?<port>\d{1,5})$/.exec(text)?.groups;
  const host = found?.host?.replace(/^\[|\]$/g, "") ?? "127.0.0.1";
  const port = Number(found?.port ?? -1);
  const isBadIp = found?.host?.startsWith("[") === true && !isIPv6(host);
  if (found === undefined || port > 65_535 || isBadIp) {
    throw new ConfigurationError(
      `--http must be [HOST:]PORT, such as 8080 or 0.0.0.0:8080, not ${JSON.stringify(text)}`,
    );
  }
  return { host, port };
}

/** Whether a host stands for all addresses of this machine. */
export function isAnyAddress(host: string): boolean {
  return ["0.0.0.0", "::"].includes(host);
}

/** A host as it stands in a URL. */
export function urlHost(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}
