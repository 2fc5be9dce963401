import { createHash, type Hash } from "node:crypto";
import type { LocalFiles } from "./local-files.ts";

const bufferBytes = 512 * 1024;

/** SHA-256 of a file on this host, in hex. */
export async function hashLocal(local: LocalFiles, realPath: string): Promise<string> {
  return (await beginHash(local, realPath, Number.POSITIVE_INFINITY)).digest("hex");
}

/** SHA-256 of the first bytes of a file on this host, to be continued with others. */
export async function beginHash(local: LocalFiles, realPath: string, bytes: number): Promise<Hash> {
  const hash = createHash("sha256");
  const reader = await local.open(realPath);
  try {
    const buffer = Buffer.allocUnsafe(bufferBytes);
    for (let at = 0; at < bytes; ) {
      const read = await reader.read(buffer.subarray(0, Math.min(bufferBytes, bytes - at)), at);
      if (read === 0) break;
      hash.update(buffer.subarray(0, read));
      at += read;
    }
    return hash;
  } finally {
    await reader.close();
  }
}
