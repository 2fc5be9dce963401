import type { AlgorithmLists } from "../../domain/algorithms.ts";

type Side = "local" | "remote";

/** How ssh2 names what is negotiated, in its debug lines. */
const lists: readonly {
  readonly list: keyof AlgorithmLists;
  readonly title: string;
  readonly failure: RegExp;
}[] = [
  { list: "kex", title: "KEX method", failure: /key exchange algorithm/ },
  { list: "hostKey", title: "Host key format", failure: /host key format/ },
  { list: "cipher", title: "C->S cipher", failure: /cipher/ },
  { list: "mac", title: "C->S MAC", failure: /MAC/ },
];

export const listTitles: Readonly<Record<keyof AlgorithmLists, string>> = {
  kex: "key exchange",
  hostKey: "host key algorithm",
  cipher: "cipher",
  mac: "MAC",
};

/**
 * What the two sides offered, picked from ssh2's debug lines: it tells this nowhere else. Only the lines of the
 * handshake are looked at, none is kept.
 */
export class HandshakeLog {
  /** How the server names itself, without `SSH-2.0-`. */
  server = "";
  readonly #offers = new Map<string, readonly string[]>();

  read(line: string): void {
    if (line.startsWith("Remote ident: ")) {
      this.server = line
        .slice("Remote ident: ".length)
        .replace(/^['"]|['"]$/g, "")
        .replace(/^SSH-[\d.]+-/, "");
    }
    const offer = /^Handshake: \((local|remote)\) ([^:]+): (.*)$/.exec(line);
    if (offer === null) return;
    this.#offers.set(
      `${offer[1]} ${offer[2]}`,
      (offer[3] as string).split(",").filter((name) => name !== ""),
    );
  }

  offered(side: Side, list: keyof AlgorithmLists): readonly string[] {
    const title = lists.find((known) => known.list === list)?.title;
    return this.#offers.get(`${side} ${title}`) ?? [];
  }

  /** Which list had nothing in common, by ssh2's message. */
  static failedList(message: string): keyof AlgorithmLists | undefined {
    if (!/no matching/i.test(message)) return undefined;
    return lists.find(({ failure }) => failure.test(message))?.list;
  }
}
