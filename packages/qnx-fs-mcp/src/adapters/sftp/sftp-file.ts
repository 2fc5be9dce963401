import type { Attributes, RemoteFile, StreamOptions, Written } from "../../domain/remote-files.ts";
import { abortable } from "../abortable.ts";
import { readAttributes, writeAttributes } from "./attributes.ts";
import { expectReply } from "./expect-reply.ts";
import { packetType, statusCode } from "./packet-type.ts";
import { StatusReply } from "./sftp-failure.ts";
import type { SftpSession } from "./sftp-session.ts";
import type { TransferWindow } from "./transfer-window.ts";
import { WireWriter } from "./wire.ts";
import { type Lane, type OpenLane, WriteLanes } from "./write-lanes.ts";

/** The part of the window that must still be under way for more to be asked for. */
const refill = 0.75;

export interface SftpFileOptions {
  readonly session: SftpSession;
  readonly handle: Buffer;
  readonly window: TransferWindow;
  /** Opens the same file for writing on another channel, for where more bytes than `oneChannelBytes` are on the way. */
  readonly openLane: OpenLane;
  readonly oneChannelBytes: number;
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

  async *stream(
    from: number,
    to: number,
    signal: AbortSignal,
    { reuse = false }: StreamOptions = {},
  ): AsyncGenerator<Buffer> {
    const { window, session } = this.#options;
    const ahead: { readonly wanted: number; readonly piece: Promise<Buffer> }[] = [];
    const spare: Buffer[] = [];
    const buffer = (bytes: number): Buffer => {
      const used = spare.pop();
      return used !== undefined && used.length >= bytes ? used : Buffer.allocUnsafeSlow(bytes);
    };
    let asked = from;
    let given = from;
    const next = (): number => Math.min(window.pieceBytes(session.longest.read), to - asked);
    const ask = (bytes: number): void => {
      const piece = this.#readPiece(asked, bytes, buffer, signal);
      // Pieces behind one that failed are looked at by nobody.
      piece.catch(() => {});
      ahead.push({ wanted: bytes, piece });
      asked += bytes;
    };
    try {
      while (given < to) {
        if (ahead.length === 0) {
          const bytes = next();
          await window.take(bytes, signal);
          ask(bytes);
        }
        // Several requests at a time: each time that some are sent wakes the other side. What has come and waits for a
        // slow reader counts too: it lies in memory.
        if (asked - given <= window.limit * refill) {
          for (let bytes = next(); bytes > 0; bytes = next()) {
            if (asked - given + bytes > window.limit || !window.tryTake(bytes)) break;
            ask(bytes);
          }
        }
        const first = ahead.shift();
        if (first === undefined) break;
        const piece = await abortable(first.piece, signal);
        given += piece.length;
        if (piece.length > 0) yield piece;
        if (piece.length < first.wanted) return;
        if (reuse) spare.push(Buffer.from(piece.buffer));
      }
    } catch (error) {
      throw this.#options.translate(error, signal);
    }
  }

  async write(
    pieces: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
    wrote: (bytes: number) => void = () => {},
  ): Promise<Written> {
    const { window, session, openLane, oneChannelBytes } = this.#options;
    const lanes = new WriteLanes(this.#options, openLane);
    const underWay = new Set<Promise<void>>();
    let position = 0;
    let failure: { readonly error: unknown } | undefined;
    const answered = async (): Promise<void> => {
      await abortable(Promise.all(underWay), signal);
      if (failure !== undefined) throw failure.error;
    };
    const finish = async (): Promise<void> => {
      try {
        await answered();
        await abortable(lanes.closeFiles(), signal);
      } finally {
        lanes.giveUp();
      }
    };
    try {
      return await this.#guard(signal, async () => {
        for await (const chunk of pieces) {
          for (let at = 0; at < chunk.length; ) {
            const piece = chunk.subarray(at, at + window.pieceBytes(session.longest.write));
            at += piece.length;
            await window.take(piece.length, signal);
            if (failure !== undefined) {
              window.give(piece.length);
              throw failure.error;
            }
            if (window.bytesPerMs * session.roundTripMs >= oneChannelBytes) lanes.widen();
            const writing = this.#writePiece(lanes.freest, position, piece).then(
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
        // What is asked next goes over the first channel, and comes behind what went over that alone.
        if (lanes.several) await answered();
        const taken = this.#guard(signal, finish);
        taken.catch(() => {});
        return { taken };
      });
    } catch (error) {
      lanes.giveUp();
      throw error;
    }
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

  /**
   * One piece, however many answers it takes; shorter only at the end of the file. Its room is given back. What came is
   * copied at once: packets that wait for a slow reader would grow old, and what is old is dear to collect.
   */
  async #readPiece(
    position: number,
    length: number,
    buffer: (bytes: number) => Buffer,
    signal: AbortSignal,
  ): Promise<Buffer> {
    const { session, handle, window } = this.#options;
    let into: Buffer | undefined;
    let got = 0;
    try {
      while (got < length && !signal.aborted) {
        const body = new WireWriter()
          .string(handle)
          .uint64(position + got)
          .uint32(length - got);
        const reply = await session.request(packetType.read, body.done(), "part");
        const before = got;
        into ??= buffer(length);
        for (const chunk of expectReply(reply, packetType.data).chunks()) {
          // More than was asked for is not taken.
          const taken = chunk.subarray(0, length - got);
          into.set(taken, got);
          got += taken.length;
        }
        if (got === before) break;
      }
    } catch (error) {
      if (!(error instanceof StatusReply && error.status === statusCode.eof)) throw error;
    } finally {
      window.give(length);
    }
    return into?.subarray(0, got) ?? Buffer.of();
  }

  async #writePiece({ session, handle }: Lane, position: number, piece: Uint8Array): Promise<void> {
    const { window } = this.#options;
    try {
      const body = new WireWriter().string(handle).uint64(position).uint32(piece.length);
      await session.request(packetType.write, body.done(), "part", piece);
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
