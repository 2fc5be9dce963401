import type { FileHandle } from "node:fs/promises";
import type { LocalWriter } from "../../domain/local-files.ts";

/** Bytes that are gathered before they are written. */
const blockBytes = 512 * 1024;
/** Bytes after which the system is asked to bring them to the disk, so that there is little to wait for at the end. */
const syncBytes = 16 * 1024 * 1024;

/** Writes a file in large blocks, one of them under way while the next is gathered; then they change places. */
export class BlockWriter implements LocalWriter {
  readonly #file: FileHandle;
  readonly #translate: (error: unknown) => unknown;
  #gathering = Buffer.allocUnsafe(blockBytes);
  #spare = Buffer.allocUnsafe(blockBytes);
  #gathered = 0;
  #underWay: Promise<unknown> = Promise.resolve();
  #syncing: Promise<unknown> = Promise.resolve();
  #stored: number;
  #askedToSync: number;

  /** Writes at the position of the file, which is `start`, and closes it. */
  constructor(file: FileHandle, translate: (error: unknown) => unknown, start = 0) {
    this.#file = file;
    this.#translate = translate;
    this.#stored = start;
    this.#askedToSync = start;
  }

  get stored(): number {
    return this.#stored;
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + blockBytes - this.#gathered);
      this.#gathering.set(part, this.#gathered);
      this.#gathered += part.length;
      at += part.length;
      if (this.#gathered === blockBytes) await this.#flush();
    }
  }

  async finish(): Promise<void> {
    try {
      await this.#flush();
      await this.#wait();
      await this.#syncing;
      await this.#file.sync();
    } catch (error) {
      throw this.#translate(error);
    } finally {
      await this.#syncing.catch(() => {});
      await this.#file.close();
    }
  }

  async #flush(): Promise<void> {
    await this.#wait();
    const block = this.#gathering.subarray(0, this.#gathered);
    [this.#gathering, this.#spare] = [this.#spare, this.#gathering];
    this.#gathered = 0;
    this.#underWay = this.#file.writeFile(block).then(() => {
      this.#stored += block.length;
      this.#beginSync();
    });
    this.#underWay.catch(() => {});
  }

  #beginSync(): void {
    if (this.#stored - this.#askedToSync < syncBytes) return;
    this.#askedToSync = this.#stored;
    // What fails to reach the disk is told once only: here, and so to `finish`.
    this.#syncing = Promise.all([this.#syncing, this.#file.datasync()]);
    this.#syncing.catch(() => {});
  }

  async #wait(): Promise<void> {
    try {
      await this.#underWay;
    } catch (error) {
      throw this.#translate(error);
    }
  }
}
