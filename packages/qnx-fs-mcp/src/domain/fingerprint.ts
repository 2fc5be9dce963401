import { createHash } from "node:crypto";

/** A public host key as it goes over the wire. Source: RFC 4253, section 6.6. */
export type KeyBlob = Uint8Array;

/** The key's type, such as `ssh-ed25519`; "" where the blob is cut short. */
export function keyTypeOf(blob: KeyBlob): string {
  const bytes = Buffer.from(blob.buffer, blob.byteOffset, blob.byteLength);
  if (bytes.length < 4) return "";
  const length = bytes.readUInt32BE(0);
  return length > 64 || 4 + length > bytes.length ? "" : bytes.toString("latin1", 4, 4 + length);
}

/** `SHA256:` and the unpadded base64 of the hash, as OpenSSH shows it. */
export function fingerprintOf(blob: KeyBlob): string {
  return `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`;
}

/** Whether a text is such a fingerprint: 43 characters of base64 after `SHA256:`. */
export function isFingerprint(text: string): boolean {
  return /^SHA256:[A-Za-z0-9+/]{43}$/.test(text);
}
