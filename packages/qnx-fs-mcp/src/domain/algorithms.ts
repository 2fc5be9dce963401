/** Lists of SSH algorithms, the preferred ones first. Names as in RFC 4253 and its successors. */
export interface AlgorithmLists {
  readonly kex: readonly string[];
  readonly hostKey: readonly string[];
  readonly cipher: readonly string[];
  readonly mac: readonly string[];
}

export const presetNames = ["qnx8", "modern", "legacy"] as const;
export type PresetName = (typeof presetNames)[number];

/** A preset, with lists of one's own in place of some of its lists. */
export interface AlgorithmChoice {
  readonly preset: PresetName;
  readonly own: Partial<AlgorithmLists>;
}

const ecdh = [
  "curve25519-sha256",
  "curve25519-sha256@libssh.org",
  "ecdh-sha2-nistp256",
  "ecdh-sha2-nistp384",
  "ecdh-sha2-nistp521",
];
const groups = [
  "diffie-hellman-group14-sha256",
  "diffie-hellman-group16-sha512",
  "diffie-hellman-group18-sha512",
];
const hostKeys = [
  "ssh-ed25519",
  "ecdsa-sha2-nistp256",
  "ecdsa-sha2-nistp384",
  "ecdsa-sha2-nistp521",
  "rsa-sha2-512",
  "rsa-sha2-256",
];
const ctr = ["aes128-ctr", "aes192-ctr", "aes256-ctr"];
const gcm = ["aes128-gcm@openssh.com", "aes256-gcm@openssh.com"];
const mac = ["hmac-sha2-256", "hmac-sha2-512"];
const etm = ["hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com"];

/**
 * `qnx8` fits the sshd of QNX 8 images and puts plain MACs before the etm ones, with which several users saw
 * "Corrupted MAC on input"; gcm comes first, as it needs no MAC and a third less time. `modern` is for current OpenSSH. `legacy` adds what 6.5's OpenSSH 5.2 needs, SHA-1 and
 * CBC among it.
 */
const presets: Readonly<Record<PresetName, AlgorithmLists>> = {
  qnx8: {
    kex: [...ecdh, "diffie-hellman-group-exchange-sha256", ...groups],
    hostKey: hostKeys,
    cipher: [...gcm, ...ctr],
    mac: [...mac, ...etm, "hmac-sha1"],
  },
  modern: {
    kex: [...ecdh, ...groups.slice(1), "diffie-hellman-group-exchange-sha256"],
    hostKey: hostKeys,
    cipher: [...gcm, "chacha20-poly1305@openssh.com", ...ctr],
    mac: [...etm, ...mac],
  },
  legacy: {
    kex: [
      ...ecdh,
      "diffie-hellman-group-exchange-sha256",
      ...groups,
      "diffie-hellman-group14-sha1",
      "diffie-hellman-group-exchange-sha1",
      "diffie-hellman-group1-sha1",
    ],
    hostKey: [...hostKeys, "ssh-rsa", "ssh-dss"],
    cipher: [...ctr, ...gcm, "aes128-cbc", "aes192-cbc", "aes256-cbc", "3des-cbc"],
    mac: [...mac, ...etm, "hmac-sha1", "hmac-md5"],
  },
};

export function algorithmsOf({ preset, own }: AlgorithmChoice): AlgorithmLists {
  return { ...presets[preset], ...own };
}

/** Every name that a list of one's own may hold. */
export const knownAlgorithms: AlgorithmLists = {
  kex: [
    ...new Set([...presets.legacy.kex, "diffie-hellman-group15-sha512", "diffie-hellman-group17-sha512"]),
  ],
  hostKey: presets.legacy.hostKey,
  cipher: [...new Set([...presets.legacy.cipher, ...presets.modern.cipher])],
  mac: [...new Set([...presets.legacy.mac, "hmac-sha1-etm@openssh.com"])],
};

/** The host key algorithms that a key of this type can sign with. Source: RFC 8332 for RSA. */
function algorithmsForKeyType(type: string): readonly string[] {
  return type === "ssh-rsa" ? ["rsa-sha2-512", "rsa-sha2-256", "ssh-rsa"] : [type];
}

/** The key type that a host key algorithm belongs to. */
export function keyTypeOfAlgorithm(algorithm: string): string {
  return algorithm.startsWith("rsa-sha2-") ? "ssh-rsa" : algorithm;
}

/** The same algorithms, those for the given key types first, so that a server shows a key that is known. */
export function preferKeyTypes(algorithms: readonly string[], types: readonly string[]): readonly string[] {
  const known = types.flatMap(algorithmsForKeyType);
  return [
    ...algorithms.filter((name) => known.includes(name)),
    ...algorithms.filter((name) => !known.includes(name)),
  ];
}

/** The presets that offer one of these names in a list, the default one first. */
export function presetsWith(list: keyof AlgorithmLists, names: readonly string[]): readonly PresetName[] {
  return presetNames.filter((preset) => presets[preset][list].some((name) => names.includes(name)));
}
