import { createHash, type Hash } from "node:crypto";
import type { LocalFiles, LocalReader } from "./local-files.ts";

const bufferBytes = 512 * 1024;

/**
 * SHA-256 of a file on this host, read back through one buffer. It can follow a file that is still being written, so
 * that little is left to read once it is whole.
 */
export class LocalHash {
  readonly #reader: LocalReader;
  readonly #hash: Hash = createHash("sha256");
  readonly #buffer = Buffer.allocUnsafe(bufferBytes);
  #at = 0;
  #reading: Promise<unknown> | undefined;

  private constructor(reader: LocalReader) {
    this.#reader = reader;
  }

  static async open(local: LocalFiles, realPath: string): Promise<LocalHash> {
    return new LocalHash(await local.open(realPath));
  }

  /** Reads on in the background while a full buffer is there of the `stored` first bytes. What fails fails in `digest`. */
  follow(stored: number): void {
    if (this.#reading !== undefined || stored - this.#at < bufferBytes) return;
    const reading = this.#readTo(stored - bufferBytes).then(() => {
      this.#reading = undefined;
    });
    reading.catch(() => {});
    this.#reading = reading;
  }

  /** The hash of the first bytes, to be continued by others. */
  async begin(bytes: number): Promise<Hash> {
    await this.#readTo(bytes);
    return this.#hash.copy();
  }

  /** The hash of all, in hex. */
  async digest(): Promise<string> {
    await this.#reading;
    await this.#readTo(Number.POSITIVE_INFINITY);
    return this.#hash.digest("hex");
  }

  async close(): Promise<void> {
    await this.#reading?.catch(() => {});
    await this.#reader.close();
  }

  async #readTo(end: number): Promise<void> {
    while (this.#at < end) {
      const wanted = this.#buffer.subarray(0, Math.min(bufferBytes, end - this.#at));
      const bytes = await this.#reader.read(wanted, this.#at);
      if (bytes === 0) return;
      this.#hash.update(wanted.subarray(0, bytes));
      this.#at += bytes;
    }
  }
}

/** SHA-256 of a file on this host, in hex. */
export async function hashLocal(local: LocalFiles, realPath: string): Promise<string> {
  const hash = await LocalHash.open(local, realPath);
  try {
    return await hash.digest();
  } finally {
    await hash.close();
  }
}
