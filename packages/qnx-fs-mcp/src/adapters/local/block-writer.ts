import type { FileHandle } from "node:fs/promises";
import type { LocalWriter } from "../../domain/local-files.ts";

/** Bytes that are gathered before they are written. */
const blockBytes = 512 * 1024;

/** Writes a file in large blocks, one of them under way while the next is gathered. */
export class BlockWriter implements LocalWriter {
  readonly #file: FileHandle;
  readonly #translate: (error: unknown) => unknown;
  #gathered: Uint8Array[] = [];
  #bytes = 0;
  #underWay: Promise<unknown> = Promise.resolve();

  /** Writes at the position of the file, and closes it. */
  constructor(file: FileHandle, translate: (error: unknown) => unknown) {
    this.#file = file;
    this.#translate = translate;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#gathered.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes >= blockBytes) await this.#flush();
  }

  async finish(): Promise<void> {
    try {
      await this.#flush();
      await this.#wait();
      await this.#file.sync();
    } catch (error) {
      throw this.#translate(error);
    } finally {
      await this.#file.close();
    }
  }

  async #flush(): Promise<void> {
    await this.#wait();
    if (this.#bytes === 0) return;
    const block = Buffer.concat(this.#gathered);
    this.#gathered = [];
    this.#bytes = 0;
    this.#underWay = this.#file.writeFile(block);
    this.#underWay.catch(() => {});
  }

  async #wait(): Promise<void> {
    try {
      await this.#underWay;
    } catch (error) {
      throw this.#translate(error);
    }
  }
}
