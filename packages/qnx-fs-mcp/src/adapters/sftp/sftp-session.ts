import type { Duplex } from "node:stream";
import { PacketSplitter } from "./packet-splitter.ts";
import { packetType, requestName, statusCode } from "./packet-type.ts";
import { ChannelClosed, PrintedText, RequestTimedOut, StatusReply } from "./sftp-failure.ts";
import { MalformedPacket, type WireReader, WireWriter } from "./wire.ts";

export interface Reply {
  readonly type: number;
  /** The fields after the request's number. */
  readonly body: WireReader;
}

interface Pending {
  readonly name: string;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
  readonly sentAt: number;
  readonly kind: RequestKind;
  /** For a part of a transfer, and for what comes behind one: the parts that were answered when its time began. */
  answeredBefore: number | undefined;
}

/**
 * `part`: a part of a transfer, of which many are under way; its time begins anew whenever another one was answered.
 * So does that of a single request behind them, as long as they are under way.
 */
export type RequestKind = "single" | "part";

/** The version that is asked for. A server answers with it or with one below, which has the same packets. */
const ourVersion = 3;

/** Bytes of one READ or WRITE that every server takes. Source: draft-ietf-secsh-filexfer-02, section 3. */
const everyServerTakes = 32 * 1024;

export interface SessionOptions {
  /** Milliseconds until the server must have told its version. */
  readonly startTimeoutMs: number;
  /** Milliseconds until each request must have been answered. */
  readonly requestTimeoutMs: number;
}

/**
 * A conversation in SFTP version 3 over one channel. Any number of requests may be under way; each one is answered,
 * times out, or is rejected when the channel closes. After a time-out the session is `abandoned`: requests behind the
 * one that hangs may hang too, so the owner sends new ones over another channel.
 */
export class SftpSession {
  readonly version: number;
  readonly extensions: Readonly<Record<string, string>>;
  /** The most bytes that one READ and one WRITE may carry. */
  readonly longest = { read: everyServerTakes, write: everyServerTakes };
  readonly #channel: Duplex;
  readonly #splitter: PacketSplitter;
  readonly #requestTimeoutMs: number;
  readonly #pending = new Map<number, Pending>();
  #nextId = 0;
  #partsAnswered = 0;
  #failure: Error | undefined;
  #abandoned = false;
  #roundTripMs = Number.POSITIVE_INFINITY;

  private constructor(
    channel: Duplex,
    splitter: PacketSplitter,
    reader: WireReader,
    options: SessionOptions,
  ) {
    this.#channel = channel;
    this.#splitter = splitter;
    this.#requestTimeoutMs = options.requestTimeoutMs;
    if (reader.uint8() !== packetType.version) throw new MalformedPacket("the first packet is not VERSION");
    this.version = reader.uint32();
    if (this.version > ourVersion) {
      throw new MalformedPacket(
        `it speaks version ${this.version} of SFTP, where ${ourVersion} was asked for`,
      );
    }
    const extensions: Record<string, string> = {};
    while (reader.left > 0) extensions[reader.string().toString("utf8")] = reader.string().toString("utf8");
    this.extensions = extensions;
  }

  /** Says hello over a channel; fails with ChannelClosed, RequestTimedOut, PrintedText or MalformedPacket. */
  static open(channel: Duplex, options: SessionOptions): Promise<SftpSession> {
    return new Promise((resolve, reject) => {
      const splitter = new PacketSplitter();
      const timer = setTimeout(
        () => finish(() => reject(new RequestTimedOut("INIT", options.startTimeoutMs))),
        options.startTimeoutMs,
      );
      const onClose = (): void =>
        finish(() => reject(new ChannelClosed("the channel closed before it spoke SFTP")));
      let said = "";
      const onData = (chunk: Buffer): void => {
        said += chunk.toString("latin1", 0, 200);
        try {
          const [version, ...more] = splitter.push(chunk);
          if (version === undefined) return;
          const session = new SftpSession(channel, splitter, version, options);
          finish(() => {
            session.#listen(more);
            session.#askLimits();
            resolve(session);
          });
        } catch (error) {
          finish(() => reject(isText(said) ? new PrintedText(oneLine(said), { cause: error }) : error));
        }
      };
      const finish = (then: () => void): void => {
        clearTimeout(timer);
        channel.off("data", onData).off("close", onClose);
        then();
      };
      // A stream's error is followed by its close; without a listener it would end the process.
      channel
        .on("data", onData)
        .on("close", onClose)
        .on("error", () => {});
      channel.write(new WireWriter().uint8(packetType.init).uint32(ourVersion).packet());
    });
  }

  /** Whether requests can be sent. */
  get usable(): boolean {
    return this.#failure === undefined && !this.#abandoned;
  }

  /**
   * Sends a request and gives its reply, whatever it is but a status other than OK. `body`: the fields after its
   * number; `payload`: the bytes behind them, which are not copied and must stay as they are.
   */
  request(
    type: number,
    body: Uint8Array,
    kind: RequestKind = "single",
    payload?: Uint8Array,
  ): Promise<Reply> {
    const failure = this.#failure;
    if (failure !== undefined) return Promise.reject(new ChannelClosed(failure.message, { cause: failure }));
    const id = this.#nextId;
    this.#nextId = (id + 1) >>> 0;
    const name = requestName(type);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#timeOut(id), this.#requestTimeoutMs);
      const sentAt = performance.now();
      const pending: Pending = { name, resolve, reject, timer, kind, sentAt, answeredBefore: undefined };
      this.#pending.set(id, pending);
      this.#beginTime(id, pending);
      this.#channel.write(new WireWriter().uint8(type).uint32(id).bytes(body).packet(payload?.length));
      if (payload !== undefined) this.#channel.write(payload);
    });
  }

  /** Whether requests are under way. */
  get busy(): boolean {
    return this.#pending.size > 0;
  }

  /** Bytes that wait to be sent: the other side takes no more of them now. */
  get backlog(): number {
    return this.#channel.writableLength;
  }

  /** Milliseconds that the quickest answer took, which is what the way there and back takes. */
  get roundTripMs(): number {
    return this.#roundTripMs;
  }

  /** Closes the channel; what is under way is rejected. */
  close(): void {
    this.#fail(new ChannelClosed("the connection was closed by this server"));
    this.#channel.end();
    this.#channel.destroy();
  }

  #listen(packets: readonly WireReader[]): void {
    const onEnd = (): void => this.#fail(new ChannelClosed("the target closed the channel"));
    this.#channel
      .on("data", (chunk: Buffer) => this.#receive(chunk))
      .on("end", onEnd)
      .on("close", onEnd)
      .on("error", (error: Error) => this.#fail(error));
    for (const packet of packets) this.#answer(packet);
  }

  /** Asks how much one request may carry; until the answer comes it is what every server takes. */
  #askLimits(): void {
    if (!("limits@openssh.com" in this.extensions)) return;
    const body = new WireWriter().string("limits@openssh.com").done();
    this.request(packetType.extended, body)
      .then(
        ({ body }) => {
          const [, read = 0, write = 0] = Array.from({ length: 4 }, () => body.uint64());
          // 0 says that there is no limit.
          this.longest.read = Math.max(read || Number.POSITIVE_INFINITY, everyServerTakes);
          this.longest.write = Math.max(write || Number.POSITIVE_INFINITY, everyServerTakes);
        },
        () => {},
      )
      .catch(() => {});
  }

  #receive(chunk: Buffer): void {
    if (this.#failure !== undefined) return;
    try {
      for (const packet of this.#splitter.push(chunk)) this.#answer(packet);
    } catch (error) {
      const broken = `the target broke the SFTP protocol: ${(error as Error).message}`;
      this.#fail(new ChannelClosed(broken, { cause: error }));
      this.#channel.destroy();
    }
  }

  #answer(body: WireReader): void {
    const type = body.uint8();
    const id = body.uint32();
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    clearTimeout(pending.timer);
    this.#roundTripMs = Math.min(this.#roundTripMs, performance.now() - pending.sentAt);
    if (pending.kind === "part") this.#partsAnswered++;
    if (type !== packetType.status) {
      pending.resolve({ type, body });
      return;
    }
    const status = body.uint32();
    const text = body.left >= 4 ? body.string().toString("utf8") : "";
    if (status === statusCode.ok) pending.resolve({ type, body });
    else pending.reject(new StatusReply(pending.name, status, text));
  }

  #beginTime(id: number, pending: Pending): void {
    const waitsForParts = pending.kind === "part" || this.#isBehindPart(id);
    pending.answeredBefore = waitsForParts ? this.#partsAnswered : undefined;
  }

  /** Whether a part of a transfer that was sent before is not answered yet. */
  #isBehindPart(id: number): boolean {
    for (const [other, { kind }] of this.#pending) {
      if (other === id) return false;
      if (kind === "part") return true;
    }
    return false;
  }

  #timeOut(id: number): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    if (pending.answeredBefore !== undefined && pending.answeredBefore !== this.#partsAnswered) {
      this.#beginTime(id, pending);
      pending.timer.refresh();
      return;
    }
    this.#pending.delete(id);
    this.#abandoned = true;
    pending.reject(new RequestTimedOut(pending.name, this.#requestTimeoutMs));
  }

  #fail(error: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    for (const { reject, timer } of this.#pending.values()) {
      clearTimeout(timer);
      reject(new ChannelClosed(error.message, { cause: error }));
    }
    this.#pending.clear();
  }
}

/** Whether bytes are text, as packets never are: those begin with a length, so with a zero. */
function isText(said: string): boolean {
  return /^[^\0]/.test(said);
}

function oneLine(said: string): string {
  return said
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, 80);
}
