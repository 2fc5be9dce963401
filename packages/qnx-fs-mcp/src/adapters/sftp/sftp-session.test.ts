import { Duplex } from "node:stream";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { readAttributes, writeAttributes } from "./attributes.ts";
import { PacketSplitter } from "./packet-splitter.ts";
import { packetType } from "./packet-type.ts";
import { ChannelClosed, RequestTimedOut } from "./sftp-failure.ts";
import { SftpSession } from "./sftp-session.ts";
import { MalformedPacket, WireReader, WireWriter } from "./wire.ts";

/** A channel whose other end is the test. */
function channelPair() {
  const sent: Buffer[] = [];
  const channel = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      sent.push(chunk);
      done();
    },
  });
  return { channel, sent, receive: (bytes: Buffer) => channel.push(bytes) };
}

const options = { startTimeoutMs: 5_000, requestTimeoutMs: 5_000 };
const version = new WireWriter()
  .uint8(packetType.version)
  .uint32(3)
  .string("fsync@openssh.com")
  .string("1")
  .packet();

async function open(more = options) {
  const pair = channelPair();
  const opening = SftpSession.open(pair.channel, more);
  pair.receive(version);
  return { ...pair, session: await opening };
}

const status = (id: number, code: number): Buffer =>
  new WireWriter().uint8(packetType.status).uint32(id).uint32(code).string("said").string("").packet();

describe("packets", () => {
  const packets = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 8 });

  test("come out whole however the stream is cut", () => {
    fc.assert(
      fc.property(packets, fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 }), (bodies, cuts) => {
        const stream = Buffer.concat(bodies.map((body) => new WireWriter().bytes(body).packet()));
        const splitter = new PacketSplitter();
        const found: Buffer[] = [];
        for (let at = 0, turn = 0; at < stream.length; turn++) {
          const size = cuts[turn % cuts.length] as number;
          for (const packet of splitter.push(stream.subarray(at, at + size))) {
            found.push(packet.bytes(packet.left));
          }
          at += size;
        }
        expect(found.map((packet) => [...packet])).toEqual(bodies.map((body) => [...body]));
      }),
    );
  });

  test("give a string in the chunks in which it came, and go on behind it", () => {
    const packet = new WireWriter().uint8(1).string("abcdef").uint32(7).packet();
    const splitter = new PacketSplitter();
    const cuts = [0, 10, 12, 17, packet.length];
    const [reader] = cuts.slice(1).flatMap((to, index) => splitter.push(packet.subarray(cuts[index], to)));
    expect(reader?.uint8()).toBe(1);
    expect(reader?.chunks().map(String)).toEqual(["a", "bc", "def"]);
    expect([reader?.uint32(), reader?.left]).toEqual([7, 0]);
    const short = new WireReader(new WireWriter().uint32(3).bytes(Buffer.from("ab")).done());
    expect(() => short.chunks()).toThrow(MalformedPacket);
  });

  test("that are empty or far too long are refused", () => {
    expect(() => new PacketSplitter().push(Buffer.from([0, 0, 0, 0]))).toThrow(MalformedPacket);
    expect(() => new PacketSplitter().push(Buffer.from("Welcome to"))).toThrow(MalformedPacket);
  });

  test("keep attributes, also those that are absent", () => {
    const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
    const uint32 = fc.nat(0xffffffff);
    const arbitrary = fc.record({
      size: maybe(fc.nat(Number.MAX_SAFE_INTEGER)),
      owner: maybe(fc.tuple(uint32, uint32)),
      mode: maybe(uint32),
      mtime: maybe(uint32),
    });
    fc.assert(
      fc.property(arbitrary, ({ owner, ...rest }) => {
        const given = { ...rest, ...(owner && { uid: owner[0], gid: owner[1] }) };
        const attributes = Object.fromEntries(
          Object.entries(given).filter(([, value]) => value !== undefined),
        );
        const bytes = writeAttributes(new WireWriter(), attributes).done();
        expect(readAttributes(new WireReader(bytes))).toEqual(attributes);
      }),
    );
  });

  test("with extended attributes are read past them", () => {
    const bytes = new WireWriter()
      .uint32(0x80000004)
      .uint32(0o644)
      .uint32(1)
      .string("acl")
      .string("x")
      .string("next")
      .done();
    const reader = new WireReader(bytes);
    expect(readAttributes(reader)).toEqual({ mode: 0o644 });
    expect(reader.string().toString()).toBe("next");
  });

  test("that end too early are refused, never read past", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), (bytes) => {
        try {
          readAttributes(new WireReader(Buffer.from(bytes)));
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedPacket);
        }
      }),
    );
  });
});

describe("SftpSession", () => {
  test("says hello in version 3 and learns the extensions", async () => {
    const { session, sent } = await open();
    expect(sent[0]).toEqual(new WireWriter().uint8(packetType.init).uint32(3).packet());
    expect(session).toMatchObject({ version: 3, extensions: { "fsync@openssh.com": "1" }, usable: true });
  });

  test.each([
    ["tells", [262_144, 261_120, 100_000, 0], { read: 261_120, write: 100_000 }],
    ["says that there is none", [0, 0, 0, 0], { read: Infinity, write: Infinity }],
    ["tells a uselessly low one", [1, 1, 1, 1], { read: 32_768, write: 32_768 }],
  ])("asks for the limit of one request, and takes it where the target %s", async (_, limits, longest) => {
    const { channel, sent, receive } = channelPair();
    const opening = SftpSession.open(channel, options);
    receive(
      new WireWriter().uint8(packetType.version).uint32(3).string("limits@openssh.com").string("1").packet(),
    );
    const session = await opening;
    expect(session.longest).toEqual({ read: 32_768, write: 32_768 });
    expect(sent[1]).toEqual(
      new WireWriter().uint8(packetType.extended).uint32(0).string("limits@openssh.com").packet(),
    );
    const reply = new WireWriter().uint8(packetType.extendedReply).uint32(0);
    for (const limit of limits) reply.uint64(limit);
    receive(reply.packet());
    await expect.poll(() => session.longest).toEqual(longest);
  });

  test("sends a payload behind its fields as one packet", async () => {
    const { session, sent, receive } = await open();
    const payload = Buffer.from("payload");
    const answer = session.request(packetType.write, new WireWriter().uint32(7).done(), "part", payload);
    expect(Buffer.concat(sent.slice(1))).toEqual(
      new WireWriter().uint8(packetType.write).uint32(0).string(payload).packet(),
    );
    receive(status(0, 0));
    await answer;
  });

  test("matches answers to requests in whatever order they come", async () => {
    const { session, receive } = await open();
    const requests = ["/a", "/b", "/c"].map((path) =>
      session.request(packetType.lstat, new WireWriter().string(path).done()),
    );
    for (const id of [2, 0, 1])
      receive(new WireWriter().uint8(packetType.attrs).uint32(id).uint32(4).uint32(id).packet());
    const answers = await Promise.all(requests);
    expect(answers.map(({ body }) => readAttributes(body).mode)).toEqual([0, 1, 2]);
  });

  test("rejects what is under way and what comes later when the channel closes", async () => {
    const { session, channel } = await open();
    const under = session.request(packetType.lstat, Buffer.alloc(0));
    channel.destroy();
    await expect(under).rejects.toBeInstanceOf(ChannelClosed);
    await expect(session.request(packetType.lstat, Buffer.alloc(0))).rejects.toBeInstanceOf(ChannelClosed);
    expect(session.usable).toBe(false);
  });

  test("waits for what comes behind the parts of a transfer as long as they are answered, and no longer", async () => {
    const { session, receive } = await open();
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const parts = Array.from({ length: 8 }, () => session.request(packetType.write, Buffer.of(), "part"));
    const behind = session.request(packetType.fsetstat, Buffer.of());
    let failure: unknown;
    behind.catch((error: unknown) => {
      failure = error;
    });
    for (const [id, part] of parts.entries()) {
      await vi.advanceTimersByTimeAsync(options.requestTimeoutMs / 4);
      receive(status(id, 0));
      await part;
    }
    await vi.advanceTimersByTimeAsync(options.requestTimeoutMs / 4);
    expect(failure).toBe(undefined);
    await vi.advanceTimersByTimeAsync(options.requestTimeoutMs * 2);
    expect(failure).toBeInstanceOf(RequestTimedOut);
  });

  test("is given up after a time-out, ignores the late answer, and still answers the others", async () => {
    const { session, receive } = await open({ ...options, requestTimeoutMs: 30 });
    const slow = session.request(packetType.readdir, Buffer.alloc(0));
    await expect(slow).rejects.toMatchObject({ request: "READDIR" });
    await expect(slow).rejects.toBeInstanceOf(RequestTimedOut);
    expect(session.usable).toBe(false);
    const next = session.request(packetType.close, Buffer.alloc(0));
    receive(status(0, 0));
    receive(status(1, 0));
    await expect(next).resolves.toMatchObject({ type: packetType.status });
  });

  test("tells a status by its code and text", async () => {
    const { session, receive } = await open();
    const request = session.request(packetType.opendir, Buffer.alloc(0));
    receive(status(0, 4));
    await expect(request).rejects.toMatchObject({
      name: "StatusReply",
      request: "OPENDIR",
      status: 4,
      message: "said",
    });
  });

  test("ends at what is no SFTP, at its start and later", async () => {
    const pair = channelPair();
    const opening = SftpSession.open(pair.channel, options);
    pair.receive(Buffer.from("Welcome!\r\n"));
    await expect(opening).rejects.toThrow(/printed "Welcome!" where SFTP was due/);
    const { session, receive } = await open();
    const under = session.request(packetType.lstat, Buffer.alloc(0));
    receive(Buffer.from("Kernel panic"));
    await expect(under).rejects.toThrow(/broke the SFTP protocol/);
  });

  test("waits for the hello no longer than it may, and notices a channel that closes before", async () => {
    await expect(
      SftpSession.open(channelPair().channel, { ...options, startTimeoutMs: 20 }),
    ).rejects.toBeInstanceOf(RequestTimedOut);
    const { channel } = channelPair();
    const opening = SftpSession.open(channel, options);
    channel.destroy();
    await expect(opening).rejects.toBeInstanceOf(ChannelClosed);
  });
});
