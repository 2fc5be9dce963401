import type { AlgorithmLists } from "../../domain/algorithms.ts";

export type Ssh2 = typeof import("ssh2");

/** The SSH library; loaded on first use, as it takes longer to load than the rest of the server. */
export async function loadSsh2(): Promise<Ssh2> {
  const library: Ssh2 & { readonly default?: Ssh2 } = await import("ssh2");
  return library.default ?? library;
}

/** What of `wanted` the library can do on this Node, whose OpenSSL may lack old algorithms. */
export async function usableAlgorithms(wanted: AlgorithmLists): Promise<AlgorithmLists> {
  const { default: known } = await import("ssh2/lib/protocol/constants.js");
  return {
    kex: wanted.kex.filter((name) => known.SUPPORTED_KEX.includes(name)),
    hostKey: wanted.hostKey.filter((name) => known.SUPPORTED_SERVER_HOST_KEY.includes(name)),
    cipher: wanted.cipher.filter((name) => known.SUPPORTED_CIPHER.includes(name)),
    mac: wanted.mac.filter((name) => known.SUPPORTED_MAC.includes(name)),
  };
}
