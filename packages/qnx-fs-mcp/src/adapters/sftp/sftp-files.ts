import { type RawName, rawName } from "../../domain/raw-name.ts";
import type { Attributes, RawEntry, RemoteFiles } from "../../domain/remote-files.ts";
import { abortable } from "../abortable.ts";
import { readAttributes } from "./attributes.ts";
import { packetType, statusCode } from "./packet-type.ts";
import { StatusReply } from "./sftp-failure.ts";
import type { Reply, SftpSession } from "./sftp-session.ts";
import { MalformedPacket, type WireReader, WireWriter } from "./wire.ts";

/** READDIR requests under way at once. */
const readsAhead = 16;

export interface SftpFilesOptions {
  /** A session that can take requests. */
  readonly session: (signal: AbortSignal) => Promise<SftpSession>;
  /** Makes a failure at `path` one of this server's errors. */
  readonly translate: (error: unknown, path: string) => Error;
}

/** The files of a target over SFTP version 3. */
export class SftpFiles implements RemoteFiles {
  readonly #options: SftpFilesOptions;

  constructor(options: SftpFilesOptions) {
    this.#options = options;
  }

  lstat(path: string, signal: AbortSignal): Promise<Attributes> {
    return this.#ask(packetType.lstat, path, signal, packetType.attrs, readAttributes);
  }

  stat(path: string, signal: AbortSignal): Promise<Attributes> {
    return this.#ask(packetType.stat, path, signal, packetType.attrs, readAttributes);
  }

  realPath(path: string, signal: AbortSignal): Promise<RawName> {
    return this.#ask(packetType.realpath, path, signal, packetType.name, readOneName);
  }

  readLink(path: string, signal: AbortSignal): Promise<RawName> {
    return this.#ask(packetType.readlink, path, signal, packetType.name, readOneName);
  }

  async *readDirectory(path: string, signal: AbortSignal): AsyncGenerator<readonly RawEntry[]> {
    const session = await this.#session(path, signal);
    const body = new WireWriter().string(path).done();
    const opening = session
      .request(packetType.opendir, body)
      .then((reply) => expect(reply, packetType.handle).string());
    const handle = await abortable(opening, signal).catch((error: unknown) => {
      // Given up while it was opening: what it opens is closed when it comes.
      opening.then((late) => closeHandle(session, late)).catch(() => {});
      throw this.#failure(error, path, signal);
    });
    const readBody = new WireWriter().string(handle).done();
    const read = (): Promise<readonly RawEntry[] | undefined> => {
      const batch = session.request(packetType.readdir, readBody).then(readEntries, endOfDirectory);
      // Batches behind one that failed are looked at by nobody.
      batch.catch(() => {});
      return batch;
    };
    const ahead = Array.from({ length: readsAhead }, read);
    try {
      for (let next = ahead.shift(); next !== undefined; next = ahead.shift()) {
        const entries = await abortable(next, signal);
        if (entries === undefined) break;
        ahead.push(read());
        yield entries;
      }
    } catch (error) {
      throw this.#failure(error, path, signal);
    } finally {
      closeHandle(session, handle);
    }
  }

  async #ask<Answer>(
    type: number,
    path: string,
    signal: AbortSignal,
    expected: number,
    read: (body: WireReader) => Answer,
  ): Promise<Answer> {
    const session = await this.#session(path, signal);
    try {
      const reply = session.request(type, new WireWriter().string(path).done());
      return read(expect(await abortable(reply, signal), expected));
    } catch (error) {
      throw this.#failure(error, path, signal);
    }
  }

  async #session(path: string, signal: AbortSignal): Promise<SftpSession> {
    signal.throwIfAborted();
    try {
      return await this.#options.session(signal);
    } catch (error) {
      throw this.#failure(error, path, signal);
    }
  }

  #failure(error: unknown, path: string, signal: AbortSignal): unknown {
    return signal.aborted && error === signal.reason ? error : this.#options.translate(error, path);
  }
}

function expect({ type, body }: Reply, expected: number): WireReader {
  if (type !== expected) throw new MalformedPacket(`a reply of type ${type} where ${expected} was due`);
  return body;
}

function readOneName(body: WireReader): RawName {
  if (body.uint32() !== 1) throw new MalformedPacket("a NAME reply that does not hold one name");
  return rawName(body.string());
}

function readEntries(reply: Reply): readonly RawEntry[] {
  const body = expect(reply, packetType.name);
  const entries: RawEntry[] = [];
  for (let left = body.uint32(); left > 0; left--) {
    const name = rawName(body.string());
    const longName = body.string().toString("latin1");
    const attributes = readAttributes(body);
    if (name !== "." && name !== "..") entries.push({ name, longName, attributes });
  }
  return entries;
}

function endOfDirectory(error: unknown): undefined {
  if (error instanceof StatusReply && error.status === statusCode.eof) return undefined;
  throw error;
}

function closeHandle(session: SftpSession, handle: Buffer): void {
  session.request(packetType.close, new WireWriter().string(handle).done()).catch(() => {});
}
