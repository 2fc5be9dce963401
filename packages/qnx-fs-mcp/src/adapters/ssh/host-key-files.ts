import { appendFile, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import type { KeyBlob } from "../../domain/fingerprint.ts";
import { gatherKnowledge, type HostKnowledge } from "../../domain/host-keys.ts";
import { type KnownHostLine, knownHostLine, parseKnownHosts } from "../../domain/known-hosts.ts";

export interface HostKeyFilesOptions {
  /** Where this server pins keys; the only file that it writes. */
  readonly pins: string;
  /** The user's own known_hosts. */
  readonly knownHosts: string;
}

/** The files that hold host keys: this server's pins, then the user's known_hosts. Read at each connection. */
export class HostKeyFiles {
  readonly #options: HostKeyFilesOptions;

  constructor(options: HostKeyFilesOptions) {
    this.#options = options;
  }

  /** The files that were looked in. */
  get files(): readonly string[] {
    return [this.#options.pins, this.#options.knownHosts];
  }

  /** What is known of a host, by the name that known_hosts gives it. */
  async knowledge(name: string, pin: string | undefined, pinSource: string): Promise<HostKnowledge> {
    return gatherKnowledge(name, pin, pinSource, await Promise.all(this.files.map(readLines)));
  }

  /** Keeps these keys of a host from now on, in place of those that were pinned before. */
  async replace(name: string, blobs: readonly KeyBlob[]): Promise<void> {
    const { pins } = this.#options;
    const before = await readFile(pins, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return "";
      throw error;
    });
    const others = before.split("\n").filter((line) => line !== "" && line.split(" ")[0] !== name);
    const lines = [...others, ...blobs.map((blob) => knownHostLine(name, blob))];
    await mkdir(path.dirname(pins), { recursive: true, mode: 0o700 });
    const temporary = `${pins}.new`;
    await writeFile(temporary, `${lines.join("\n")}\n`, { mode: 0o600, flush: true });
    await rename(temporary, pins);
  }

  /** Keeps a key of a host from now on. */
  async pin(name: string, blob: KeyBlob): Promise<void> {
    const { pins } = this.#options;
    await mkdir(path.dirname(pins), { recursive: true, mode: 0o700 });
    await appendFile(pins, `${knownHostLine(name, blob)}\n`, { mode: 0o600, flush: true });
  }
}

async function readLines(file: string): Promise<readonly KnownHostLine[]> {
  try {
    return parseKnownHosts(await readFile(file, "utf8"), file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
