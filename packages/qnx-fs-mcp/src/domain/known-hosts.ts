import { createHmac } from "node:crypto";
import { type KeyBlob, keyTypeOf } from "./fingerprint.ts";

/** One usable line of a known_hosts file. Source: sshd(8), SSH_KNOWN_HOSTS FILE FORMAT. */
export interface KnownHostLine {
  readonly marker: "revoked" | "cert-authority" | undefined;
  readonly hosts: string;
  readonly blob: KeyBlob;
  readonly type: string;
  /** `FILE line N`. */
  readonly source: string;
}

/** The lines of a known_hosts file; comments and lines that cannot be read are left out, as OpenSSH does. */
export function parseKnownHosts(text: string, file: string): KnownHostLine[] {
  return text.split("\n").flatMap((line, index) => parseLine(line.trim(), `${file} line ${index + 1}`) ?? []);
}

function parseLine(line: string, source: string): KnownHostLine | undefined {
  if (line === "" || line.startsWith("#")) return undefined;
  const fields = line.split(/[ \t]+/);
  const marker = fields[0]?.startsWith("@") ? fields.shift()?.slice(1) : undefined;
  if (marker !== undefined && marker !== "revoked" && marker !== "cert-authority") return undefined;
  const [hosts, type, key] = fields;
  if (hosts === undefined || type === undefined || key === undefined) return undefined;
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(key)) return undefined;
  const blob = Buffer.from(key, "base64");
  if (keyTypeOf(blob) !== type) return undefined;
  return { marker, hosts, blob, type, source };
}

/** How known_hosts names a host: in lower case, with the port in brackets where it is not 22. */
export function knownHostName(host: string, port: number): string {
  const name = host.toLowerCase();
  return port === 22 ? name : `[${name}]:${port}`;
}

/** Whether the host field of a line names a host (as `knownHostName` gives it). A `!` that matches rules the line out. */
export function matchesHost(hosts: string, name: string): boolean {
  if (hosts.startsWith("|")) return matchesHashed(hosts, name);
  let matched = false;
  for (const entry of hosts.split(",")) {
    const negated = entry.startsWith("!");
    if (!matchesPattern(negated ? entry.slice(1) : entry, name)) continue;
    if (negated) return false;
    matched = true;
  }
  return matched;
}

/** `|1|salt|hash`: the HMAC-SHA1 of the name under the salt. */
function matchesHashed(field: string, name: string): boolean {
  const [, version, salt, hash, ...rest] = field.split("|");
  if (version !== "1" || salt === undefined || hash === undefined || rest.length > 0) return false;
  return createHmac("sha1", Buffer.from(salt, "base64")).update(name).digest("base64") === hash;
}

/** Wildcards `*` and `?` as in ssh_config(5); linear in the text for each `*`. */
function matchesPattern(pattern: string, name: string): boolean {
  const wanted = pattern.toLowerCase();
  let at = 0;
  let index = 0;
  let star = -1;
  let resume = 0;
  while (index < name.length) {
    if (wanted[at] === "*") {
      star = at++;
      resume = index;
    } else if (wanted[at] === "?" || (wanted[at] !== undefined && wanted[at] === name[index])) {
      at++;
      index++;
    } else if (star >= 0) {
      at = star + 1;
      index = ++resume;
    } else {
      return false;
    }
  }
  while (wanted[at] === "*") at++;
  return at === wanted.length;
}

/** A line for a known_hosts file. */
export function knownHostLine(name: string, blob: KeyBlob): string {
  return `${name} ${keyTypeOf(blob)} ${Buffer.from(blob).toString("base64")}`;
}
