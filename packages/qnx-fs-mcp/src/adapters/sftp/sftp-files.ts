import { type RawName, rawName } from "../../domain/raw-name.ts";
import type { Attributes, RawEntry, RemoteFile, RemoteFiles, Space } from "../../domain/remote-files.ts";
import { normaliseRemotePath } from "../../domain/remote-path.ts";
import { abortable } from "../abortable.ts";
import { readAttributes, writeAttributes } from "./attributes.ts";
import { createEndCheck } from "./end-check.ts";
import { expectReply } from "./expect-reply.ts";
import { packetType, statusCode } from "./packet-type.ts";
import { StatusReply } from "./sftp-failure.ts";
import { SftpFile } from "./sftp-file.ts";
import type { Reply, SftpSession } from "./sftp-session.ts";
import type { TransferWindow } from "./transfer-window.ts";
import { MalformedPacket, type WireReader, WireWriter } from "./wire.ts";
import type { Lane } from "./write-lanes.ts";

/** READDIR requests under way at once. */
const readsAhead = 16;

/** Flags of OPEN. Source: draft-ietf-secsh-filexfer-02, section 6.3. */
const openFlags = { read: 0x01, write: 0x02, create: 0x08, exclusive: 0x20 } as const;

/** `f_flag` of a file system that takes no writes. Source: statvfs@openssh.com in OpenSSH's PROTOCOL. */
const readOnlyFlag = 1;

export interface SftpFilesOptions {
  /** A session that can take requests. */
  readonly session: (signal: AbortSignal) => Promise<SftpSession>;
  /** A session of one's own, to be closed by who asked for it. */
  readonly openSession: () => Promise<SftpSession>;
  readonly oneChannelBytes: number;
  /** Makes a failure at `path` one of this server's errors. */
  readonly translate: (error: unknown, path: string) => Error;
  /** Shared by all transfers of the connection. */
  readonly window: TransferWindow;
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
    return this.#ask(packetType.realpath, path, signal, packetType.name, readRealPath);
  }

  readLink(path: string, signal: AbortSignal): Promise<RawName> {
    return this.#ask(packetType.readlink, path, signal, packetType.name, readOneName);
  }

  async *readDirectory(path: string, signal: AbortSignal): AsyncGenerator<readonly RawEntry[]> {
    const session = await this.#session(path, signal);
    const body = new WireWriter().string(path).done();
    const opening = session
      .request(packetType.opendir, body)
      .then((reply) => expectReply(reply, packetType.handle).string());
    const handle = await this.#awaitHandle(session, opening, path, signal);
    const readBody = new WireWriter().string(handle).done();
    const read = (): Promise<readonly RawEntry[] | undefined> => {
      const batch = session.request(packetType.readdir, readBody).then(readEntries, endOfDirectory);
      // Batches behind one that failed are looked at by nobody.
      batch.catch(() => {});
      return batch;
    };
    const ahead = Array.from({ length: readsAhead }, read);
    const assertEnds = createEndCheck();
    try {
      for (let next = ahead.shift(); next !== undefined; next = ahead.shift()) {
        const entries = await abortable(next, signal);
        if (entries === undefined) break;
        assertEnds(entries);
        ahead.push(read());
        yield entries;
      }
    } catch (error) {
      throw this.#failure(error, path, signal);
    } finally {
      closeHandle(session, handle);
    }
  }

  async open(path: string, use: "read" | "create", signal: AbortSignal): Promise<RemoteFile> {
    const session = await this.#session(path, signal);
    const flags = use === "read" ? openFlags.read : openFlags.write | openFlags.create | openFlags.exclusive;
    const body = new WireWriter().string(path).uint32(flags);
    // Until it has its own mode nobody else need read it.
    writeAttributes(body, use === "read" ? {} : { mode: 0o600 });
    const opening = session
      .request(packetType.open, body.done())
      .then((reply) => expectReply(reply, packetType.handle).string());
    const handle = await this.#awaitHandle(session, opening, path, signal);
    return new SftpFile({
      session,
      handle,
      window: this.#options.window,
      oneChannelBytes: this.#options.oneChannelBytes,
      openLane: () => this.#openLane(path),
      translate: (error, current) => this.#failure(error, path, current),
    });
  }

  /** Opens a file that is there for writing, on a channel of its own. */
  async #openLane(path: string): Promise<Lane> {
    const session = await this.#options.openSession();
    try {
      const body = writeAttributes(new WireWriter().string(path).uint32(openFlags.write), {});
      const reply = await session.request(packetType.open, body.done());
      return { session, handle: expectReply(reply, packetType.handle).string() };
    } catch (error) {
      session.close();
      throw error;
    }
  }

  makeDirectory(path: string, mode: number, signal: AbortSignal): Promise<void> {
    return this.#change(packetType.mkdir, path, signal, (body) => writeAttributes(body, { mode }));
  }

  removeFile(path: string, signal: AbortSignal): Promise<void> {
    return this.#change(packetType.remove, path, signal);
  }

  removeDirectory(path: string, signal: AbortSignal): Promise<void> {
    return this.#change(packetType.rmdir, path, signal);
  }

  rename(from: string, to: string, signal: AbortSignal): Promise<void> {
    return this.#change(packetType.rename, from, signal, (body) => body.string(to));
  }

  async replace(from: string, to: string, signal: AbortSignal): Promise<boolean> {
    const add = (body: WireWriter): WireWriter => body.string(to);
    return (await this.#extended("posix-rename@openssh.com", from, signal, () => true, add)) ?? false;
  }

  setMode(path: string, mode: number, signal: AbortSignal): Promise<void> {
    return this.#change(packetType.setstat, path, signal, (body) => writeAttributes(body, { mode }));
  }

  space(path: string, signal: AbortSignal): Promise<Space | undefined> {
    return this.#extended("statvfs@openssh.com", path, signal, readSpace);
  }

  /** Sends an extended request and reads its reply; undefined where the target does not offer it. */
  async #extended<Answer>(
    name: string,
    path: string,
    signal: AbortSignal,
    read: (reply: Reply) => Answer,
    add: (body: WireWriter) => WireWriter = (body) => body,
  ): Promise<Answer | undefined> {
    const session = await this.#session(path, signal);
    if (!(name in session.extensions)) return undefined;
    try {
      const body = add(new WireWriter().string(name).string(path)).done();
      return read(await abortable(session.request(packetType.extended, body), signal));
    } catch (error) {
      throw this.#failure(error, path, signal);
    }
  }

  async #change(
    type: number,
    path: string,
    signal: AbortSignal,
    add: (body: WireWriter) => WireWriter = (body) => body,
  ): Promise<void> {
    const session = await this.#session(path, signal);
    try {
      await abortable(session.request(type, add(new WireWriter().string(path)).done()), signal);
    } catch (error) {
      throw this.#failure(error, path, signal);
    }
  }

  /** A handle; one that comes after its caller gave up is closed again. */
  async #awaitHandle(
    session: SftpSession,
    opening: Promise<Buffer>,
    path: string,
    signal: AbortSignal,
  ): Promise<Buffer> {
    try {
      return await abortable(opening, signal);
    } catch (error) {
      opening.then((late) => closeHandle(session, late)).catch(() => {});
      throw this.#failure(error, path, signal);
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
      return read(expectReply(await abortable(reply, signal), expected));
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

/** Source: statvfs@openssh.com in OpenSSH's PROTOCOL. */
function readSpace(reply: Reply): Space | undefined {
  const body = expectReply(reply, packetType.extendedReply);
  const [blockSize = 0, fragment = 0, blocks = 0, , available = 0, , , , , flags = 0, longestName = 0] =
    Array.from({ length: 11 }, () => body.uint64());
  const unit = fragment || blockSize;
  const [total, free] = [blocks * unit, available * unit];
  // Memory may call itself endless: that is to tell nothing.
  if (!Number.isSafeInteger(total) || !Number.isSafeInteger(free)) return undefined;
  return { total, free, readOnly: flags % 2 === readOnlyFlag, longestName };
}

function readOneName(body: WireReader): RawName {
  if (body.uint32() !== 1) throw new MalformedPacket("a NAME reply that does not hold one name");
  return rawName(body.string());
}

/** Servers differ in how they write a path: with a slash behind it where a link has one, for instance. */
function readRealPath(body: WireReader): RawName {
  const told = readOneName(body);
  const normal = normaliseRemotePath(told);
  if (normal === null) throw new StatusReply("REALPATH", statusCode.failure, "a path that is not absolute");
  return normal as RawName;
}

function readEntries(reply: Reply): readonly RawEntry[] {
  const body = expectReply(reply, packetType.name);
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
