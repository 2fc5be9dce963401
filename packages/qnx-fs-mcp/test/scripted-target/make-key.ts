import ssh2 from "ssh2";

export type KeyType = "ed25519" | "ecdsa" | "rsa";

const { generateKeyPairSync, parseKey } = ssh2.utils;

/** Makes an OpenSSH private key, encrypted where there is a passphrase. */
export function makeKey(type: KeyType = "ed25519", passphrase?: string): string {
  const encryption = passphrase === undefined ? {} : { passphrase, cipher: "aes256-ctr", rounds: 4 };
  for (;;) {
    const { private: key } = generate(type, encryption as never);
    // ssh2 cuts the leading zeros of an Ed25519 key, and then cannot read one key in 256 that it made.
    if (!(parseKey(key, passphrase) instanceof Error)) return key;
  }
}

function generate(type: KeyType, encryption: { passphrase: string; cipher: string; rounds: number }) {
  switch (type) {
    case "ed25519":
      return generateKeyPairSync("ed25519", encryption);
    case "ecdsa":
      return generateKeyPairSync("ecdsa", { bits: 256, ...encryption });
    case "rsa":
      return generateKeyPairSync("rsa", { bits: 2048, ...encryption });
  }
}
