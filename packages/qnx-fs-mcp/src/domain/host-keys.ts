import type { HostKeyNote } from "./errors.ts";
import { fingerprintOf, type KeyBlob, keyTypeOf } from "./fingerprint.ts";
import { type KnownHostLine, matchesHost } from "./known-hosts.ts";

/** What is known of a host's keys before it is called. */
export interface HostKnowledge {
  /** A fingerprint from the configuration; where there is one, it alone counts. */
  readonly pin: string | undefined;
  /** Where the pin stands, such as `targets.tb.host_key`. */
  readonly pinSource: string;
  /** Keys that were accepted before: from the state directory, else from the user's known_hosts. */
  readonly keys: readonly KnownHostLine[];
  readonly revoked: readonly KnownHostLine[];
  /** Where an authority for host certificates is named; these are not supported. */
  readonly authority: string | undefined;
}

export type HostKeyVerdict =
  | { readonly verdict: "accepted" }
  | { readonly verdict: "unknown" }
  | { readonly verdict: "changed"; readonly expected: readonly HostKeyNote[] }
  | { readonly verdict: "revoked"; readonly source: string };

/** Puts together what the files say about a host. The first file that knows a key of the host counts. */
export function gatherKnowledge(
  name: string,
  pin: string | undefined,
  pinSource: string,
  files: readonly (readonly KnownHostLine[])[],
): HostKnowledge {
  const lines = files.map((file) => file.filter((line) => matchesHost(line.hosts, name)));
  const all = lines.flat();
  return {
    pin,
    pinSource,
    keys:
      lines.map((file) => file.filter((line) => line.marker === undefined)).find((file) => file.length > 0) ??
      [],
    revoked: all.filter((line) => line.marker === "revoked"),
    authority: all.find((line) => line.marker === "cert-authority")?.source,
  };
}

/**
 * Whether a presented key is the host's. A host of which other keys are known is `changed`, never `unknown`: whoever
 * stands between could offer a key of another type.
 */
export function judgeHostKey(blob: KeyBlob, known: HostKnowledge): HostKeyVerdict {
  const revoked = known.revoked.find((line) => sameKey(line.blob, blob));
  if (revoked) return { verdict: "revoked", source: revoked.source };
  if (known.pin !== undefined) {
    return fingerprintOf(blob) === known.pin
      ? { verdict: "accepted" }
      : { verdict: "changed", expected: [{ fingerprint: known.pin, source: known.pinSource }] };
  }
  if (known.keys.some((line) => sameKey(line.blob, blob))) return { verdict: "accepted" };
  if (known.keys.length === 0) return { verdict: "unknown" };
  return {
    verdict: "changed",
    expected: known.keys.map(({ type, blob: key, source }) => ({
      type,
      fingerprint: fingerprintOf(key),
      source,
    })),
  };
}

/** The key's type and fingerprint, to be shown. */
export function noteOf(blob: KeyBlob): HostKeyNote {
  return { type: keyTypeOf(blob), fingerprint: fingerprintOf(blob) };
}

function sameKey(a: KeyBlob, b: KeyBlob): boolean {
  return Buffer.from(a).equals(b);
}
