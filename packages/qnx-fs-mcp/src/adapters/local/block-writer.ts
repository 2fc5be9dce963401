import type { FileHandle } from "node:fs/promises";
import type { LocalWriter } from "../../domain/local-files.ts";

/** Bytes that are gathered before they are written. */
const blockBytes = 512 * 1024;
/** Bytes after which the system is asked to bring them to the disk, so that there is little to wait for at the end. */
const syncBytes = 16 * 1024 * 1024;

/**
 * Writes a file in large blocks and reads each back, one of them under way while the next is gathered; then they change
 * places.
 */
export class BlockWriter implements LocalWriter {
  readonly #file: FileHandle;
  readonly #translate: (error: unknown) => unknown;
  #gathering = Buffer.allocUnsafe(blockBytes);
  #spare = Buffer.allocUnsafe(blockBytes);
  readonly #back = Buffer.allocUnsafe(blockBytes);
  #gathered = 0;
  #underWay: Promise<unknown> = Promise.resolve();
  #syncing: Promise<unknown> = Promise.resolve();
  #stored: number;
  #askedToSync: number;
  #intact = true;

  /** Writes at the position of the file, which is `start`, and closes it; it must be open for reading too. */
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

  async finish(): Promise<boolean> {
    try {
      await this.#flush();
      await this.#wait();
      await this.#syncing;
      await this.#file.sync();
      return this.#intact;
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
    this.#underWay = this.#store(block);
    this.#underWay.catch(() => {});
  }

  async #store(block: Buffer): Promise<void> {
    await this.#file.writeFile(block);
    this.#intact &&= await this.#readsBack(block, this.#stored);
    this.#stored += block.length;
    this.#beginSync();
  }

  async #readsBack(block: Buffer, position: number): Promise<boolean> {
    let got = 0;
    while (got < block.length) {
      const { bytesRead } = await this.#file.read(this.#back, got, block.length - got, position + got);
      if (bytesRead === 0) return false;
      got += bytesRead;
    }
    return block.equals(this.#back.subarray(0, got));
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
