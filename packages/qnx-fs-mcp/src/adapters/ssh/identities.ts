import { readFile, stat } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { type At, QnxFsError } from "../../domain/errors.ts";
import { type KeyReading, readPrivateKey } from "./read-private-key.ts";
import { loadSsh2 } from "./ssh2-library.ts";

const largestKeyFile = 1 << 20;

/** Opens an encrypted key; takes seconds. */
export type DecryptKey = (text: string, passphrase: string) => Promise<KeyReading>;

/** Decrypts in a worker thread, whose script is `decrypt-key.worker`. */
export function decryptInWorker(script: URL): DecryptKey {
  return (text, passphrase) =>
    new Promise((resolve, reject) => {
      const worker = new Worker(script, { workerData: { text, passphrase } });
      worker
        .once("message", resolve)
        .once("error", reject)
        .once("exit", () => reject(new Error("the worker ended without an answer")));
    });
}

/** Private keys of identity files; each one is decrypted once, until its file changes. */
export class Identities {
  readonly #decrypt: DecryptKey;
  readonly #opened = new Map<string, Promise<KeyReading>>();

  constructor(decrypt: DecryptKey) {
    this.#decrypt = decrypt;
  }

  /** The key as text without encryption. Fails with KEY_UNREADABLE or KEY_ENCRYPTED. */
  async read(
    file: string,
    passphrase: { readonly variable: string; readonly value: string } | undefined,
    at: At,
  ): Promise<string> {
    const { text, version } = await readKeyFile(file, at);
    const { utils } = await loadSsh2();
    const asIs = readPrivateKey(utils.parseKey, text, undefined);
    const reading =
      "encrypted" in asIs && passphrase !== undefined
        ? await this.#open(file, version, text, passphrase.value)
        : asIs;
    if ("plain" in reading) return reading.plain;
    if ("unreadable" in reading)
      throw new QnxFsError("KEY_UNREADABLE", { ...at, file, reason: reading.unreadable });
    const variable = reading.wrong ? { variable: passphrase?.variable as string } : {};
    throw new QnxFsError("KEY_ENCRYPTED", { ...at, file, ...variable });
  }

  #open(file: string, version: string, text: string, passphrase: string): Promise<KeyReading> {
    const id = JSON.stringify([file, version, passphrase]);
    const opened = this.#opened.get(id) ?? this.#decrypt(text, passphrase);
    this.#opened.set(id, opened);
    opened.catch(() => this.#opened.delete(id));
    return opened;
  }
}

async function readKeyFile(file: string, at: At): Promise<{ text: string; version: string }> {
  const unreadable = (reason: string, cause?: unknown): QnxFsError =>
    new QnxFsError("KEY_UNREADABLE", { ...at, file, reason }, { cause });
  try {
    const about = await stat(file);
    if (!about.isFile() || about.size > largestKeyFile) throw unreadable("it is not a key file");
    return { text: await readFile(file, "utf8"), version: `${about.mtimeMs} ${about.size}` };
  } catch (error) {
    if (error instanceof QnxFsError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw unreadable("there is no such file", error);
    throw unreadable(
      code === "EACCES" ? "this server may not read it" : `reading it failed (${code})`,
      error,
    );
  }
}
