import type { Attributes, RemoteFile } from "../../domain/remote-files.ts";
import { abortable } from "../abortable.ts";
import { readAttributes, writeAttributes } from "./attributes.ts";
import { expectReply } from "./expect-reply.ts";
import { packetType, statusCode } from "./packet-type.ts";
import { StatusReply } from "./sftp-failure.ts";
import type { SftpSession } from "./sftp-session.ts";
import type { TransferWindow } from "./transfer-window.ts";
import { WireWriter } from "./wire.ts";

/** Bytes of one READ or WRITE: what every server takes. Source: draft-ietf-secsh-filexfer-02, section 3. */
const pieceBytes = 32 * 1024;

export interface SftpFileOptions {
  readonly session: SftpSession;
  readonly handle: Buffer;
  readonly window: TransferWindow;
  /** Makes a failure one of this server's errors. */
  readonly translate: (error: unknown, signal: AbortSignal) => unknown;
}

/** A file that is open over SFTP. It lives on one channel: when that is given up, it fails. */
export class SftpFile implements RemoteFile {
  readonly #options: SftpFileOptions;
  #released = false;

  constructor(options: SftpFileOptions) {
    this.#options = options;
  }

  stat(signal: AbortSignal): Promise<Attributes> {
    return this.#guard(signal, async () => {
      const { session, handle } = this.#options;
      const reply = session.request(packetType.fstat, new WireWriter().string(handle).done());
      return readAttributes(expectReply(await abortable(reply, signal), packetType.attrs));
    });
  }

  async read(position: number, length: number, signal: AbortSignal): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of this.stream(position, position + length, signal)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  async *stream(from: number, to: number, signal: AbortSignal): AsyncGenerator<Buffer> {
    const { window } = this.#options;
    const ahead: { readonly wanted: number; readonly piece: Promise<Buffer> }[] = [];
    let asked = from;
    let given = from;
    const ask = (bytes: number): void => {
      const piece = this.#readPiece(asked, bytes, signal);
      // Pieces behind one that failed are looked at by nobody.
      piece.catch(() => {});
      ahead.push({ wanted: bytes, piece });
      asked += bytes;
    };
    try {
      while (given < to) {
        if (ahead.length === 0) {
          const bytes = Math.min(pieceBytes, to - asked);
          await window.take(bytes, signal);
          ask(bytes);
        }
        // What has come and waits for a slow reader counts too: it lies in memory.
        for (;;) {
          const bytes = Math.min(pieceBytes, to - asked);
          if (bytes === 0 || asked - given + bytes > window.limit || !window.tryTake(bytes)) break;
          ask(bytes);
        }
        const next = ahead.shift();
        if (next === undefined) break;
        const piece = await abortable(next.piece, signal);
        given += piece.length;
        if (piece.length > 0) yield piece;
        if (piece.length < next.wanted) return;
      }
    } catch (error) {
      throw this.#options.translate(error, signal);
    }
  }

  async write(
    pieces: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
    wrote: (bytes: number) => void = () => {},
  ): Promise<void> {
    const { window } = this.#options;
    const underWay = new Set<Promise<void>>();
    let position = 0;
    let failure: { readonly error: unknown } | undefined;
    await this.#guard(signal, async () => {
      for await (const chunk of pieces) {
        for (let at = 0; at < chunk.length; at += pieceBytes) {
          const piece = chunk.subarray(at, at + pieceBytes);
          await window.take(piece.length, signal);
          if (failure !== undefined) {
            window.give(piece.length);
            throw failure.error;
          }
          const writing = this.#writePiece(position, piece).then(
            () => wrote(piece.length),
            (error: unknown) => {
              failure ??= { error };
            },
          );
          position += piece.length;
          underWay.add(writing);
          writing.finally(() => underWay.delete(writing));
        }
      }
      await abortable(Promise.all(underWay), signal);
      if (failure !== undefined) throw failure.error;
    });
  }

  async setMode(mode: number, signal: AbortSignal): Promise<void> {
    const { handle } = this.#options;
    await this.#ask(
      packetType.fsetstat,
      writeAttributes(new WireWriter().string(handle), { mode }).done(),
      signal,
    );
  }

  async sync(signal: AbortSignal): Promise<boolean> {
    const { session, handle } = this.#options;
    if (!("fsync@openssh.com" in session.extensions)) return false;
    await this.#ask(
      packetType.extended,
      new WireWriter().string("fsync@openssh.com").string(handle).done(),
      signal,
    );
    return true;
  }

  async close(signal: AbortSignal): Promise<void> {
    this.#released = true;
    await this.#ask(packetType.close, new WireWriter().string(this.#options.handle).done(), signal);
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    const { session, handle } = this.#options;
    session.request(packetType.close, new WireWriter().string(handle).done()).catch(() => {});
  }

  /** One piece, however many answers it takes; shorter only at the end of the file. Its room is given back. */
  async #readPiece(position: number, length: number, signal: AbortSignal): Promise<Buffer> {
    const { session, handle, window } = this.#options;
    const parts: Buffer[] = [];
    let got = 0;
    try {
      while (got < length && !signal.aborted) {
        const body = new WireWriter()
          .string(handle)
          .uint64(position + got)
          .uint32(length - got);
        const reply = await session.request(packetType.read, body.done(), "part");
        const part = expectReply(reply, packetType.data).string();
        if (part.length === 0) break;
        // More than was asked for is not taken.
        parts.push(part.subarray(0, length - got));
        got += Math.min(part.length, length - got);
      }
    } catch (error) {
      if (!(error instanceof StatusReply && error.status === statusCode.eof)) throw error;
    } finally {
      window.give(length);
    }
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
  }

  async #writePiece(position: number, piece: Uint8Array): Promise<void> {
    const { session, handle, window } = this.#options;
    try {
      const body = new WireWriter().string(handle).uint64(position).string(piece);
      await session.request(packetType.write, body.done(), "part");
    } finally {
      window.give(piece.length);
    }
  }

  #ask(type: number, body: Buffer, signal: AbortSignal): Promise<void> {
    return this.#guard(signal, async () => {
      await abortable(this.#options.session.request(type, body), signal);
    });
  }

  async #guard<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      throw this.#options.translate(error, signal);
    }
  }
}
