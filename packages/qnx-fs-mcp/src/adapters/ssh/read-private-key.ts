import { createPrivateKey } from "node:crypto";
import type { ParsedKey, utils } from "ssh2";

/** What reading a private key came to. */
export type KeyReading =
  | { readonly plain: string }
  /** `wrong`: there was a passphrase, and it does not open the key. */
  | { readonly encrypted: true; readonly wrong: boolean }
  | { readonly unreadable: string };

/**
 * Reads a private key in any format that ssh2 knows and gives it back without encryption, in a format that takes no
 * time to read. With a passphrase this can take seconds of CPU: call it in a worker then.
 */
export function readPrivateKey(
  parseKey: typeof utils.parseKey,
  text: string,
  passphrase: string | undefined,
): KeyReading {
  const parsed: ParsedKey | ParsedKey[] | Error = parseKey(text, passphrase);
  if (parsed instanceof Error) {
    if (/no passphrase given/i.test(parsed.message)) return { encrypted: true, wrong: false };
    if (passphrase !== undefined && /passphrase|decrypt/i.test(parsed.message))
      return { encrypted: true, wrong: true };
    return { unreadable: describe(parsed.message, text) };
  }
  const key = Array.isArray(parsed) ? parsed[0] : parsed;
  if (key === undefined || !key.isPrivateKey()) return { unreadable: "it is a public key" };
  return { plain: key.type === "ssh-ed25519" ? plainEd25519(key) : key.getPrivatePEM() };
}

function describe(message: string, text: string): string {
  if (/-----BEGIN (ENCRYPTED )?PRIVATE KEY-----/.test(text)) {
    return "it is in PKCS#8 format; ssh-keygen -p -f FILE rewrites it in OpenSSH's own";
  }
  return message === "Unsupported key format" ? "it is not a private key in a known format" : message;
}

/** An unencrypted OpenSSH private key. Source: PROTOCOL.key of OpenSSH. */
function plainEd25519(key: ParsedKey): string {
  const { d, x } = createPrivateKey(key.getPrivatePEM()).export({ format: "jwk" });
  const publicKey = Buffer.from(x as string, "base64url");
  const secret = Buffer.concat([Buffer.from(d as string, "base64url"), publicKey]);
  const fields = [Buffer.alloc(8), field("ssh-ed25519"), field(publicKey), field(secret), field("")];
  const length = fields.reduce((sum, part) => sum + part.length, 0);
  const padding = Buffer.from(Array.from({ length: (8 - (length % 8)) % 8 }, (_, index) => index + 1));
  const container = Buffer.concat([
    Buffer.from("openssh-key-v1\0"),
    field("none"),
    field("none"),
    field(""),
    Buffer.of(0, 0, 0, 1),
    field(key.getPublicSSH()),
    field(Buffer.concat([...fields, padding])),
  ]);
  const lines = container.toString("base64").match(/.{1,70}/g) ?? [];
  return ["-----BEGIN OPENSSH PRIVATE KEY-----", ...lines, "-----END OPENSSH PRIVATE KEY-----", ""].join(
    "\n",
  );
}

function field(value: Uint8Array | string): Buffer {
  const bytes = Buffer.from(value as string);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
