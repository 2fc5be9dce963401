import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createRequire } from "node:module";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { algorithmsOf } from "../../domain/algorithms.ts";
import { usableAlgorithms } from "./ssh2-library.ts";
import { keepsNoReads, TargetSocket } from "./target-socket.ts";

/** What ssh2 makes of a cipher's name, and its two ways; the package's types leave them out. */
interface Crypto {
  readonly CIPHER_INFO: Readonly<Record<string, { readonly keyLen: number; readonly ivLen: number }>>;
  readonly MAC_INFO: Readonly<Record<string, { readonly len: number }>>;
  readonly init: Promise<void>;
  createCipher(config: object): { allocPacket(payload: number): Buffer; encrypt(packet: Buffer): void };
  createDecipher(config: object): { decrypt(data: Buffer, from: number, to: number): unknown };
}
const crypto = createRequire(import.meta.url)("ssh2/lib/protocol/crypto.js") as Crypto;
const { cipher: ciphers, mac: macs } = await usableAlgorithms(algorithmsOf({ preset: "legacy", own: {} }));
const payload = randomBytes(100);

/** One packet as it goes over the line. */
function encrypted(cipher: string, keys: object): Buffer {
  const parts: Buffer[] = [];
  const outbound = {
    ...keys,
    cipherInfo: crypto.CIPHER_INFO[cipher],
    seqno: 0,
    onWrite: (part: Buffer) => parts.push(part),
  };
  const way = crypto.createCipher({ outbound });
  const packet = way.allocPacket(payload.length);
  payload.copy(packet, 5);
  way.encrypt(packet);
  return Buffer.concat(parts);
}

/** Whether ssh2 reads a packet right that comes in two reads into one buffer, cut anywhere. */
function readsFromOneBuffer(cipher: string, mac: string): boolean {
  const info = crypto.CIPHER_INFO[cipher] as { keyLen: number; ivLen: number };
  const macInfo = crypto.MAC_INFO[mac] as { len: number };
  const [key, iv, macKey] = [info.keyLen, info.ivLen, macInfo.len].map((bytes) => randomBytes(bytes));
  const fresh = (): Buffer => Buffer.from(iv as Buffer);
  const packet = encrypted(cipher, { cipherKey: key, cipherIV: fresh(), macInfo, macKey });
  for (let cut = 1; cut < packet.length; cut++) {
    let read: Buffer | undefined;
    const inbound = {
      decipherInfo: info,
      decipherKey: key,
      decipherIV: fresh(),
      macInfo,
      macKey,
      seqno: 0,
      onPayload: (bytes: Buffer) => {
        read = Buffer.from(bytes);
      },
    };
    const way = crypto.createDecipher({ inbound });
    const buffer = Buffer.alloc(packet.length);
    try {
      for (const part of [packet.subarray(0, cut), packet.subarray(cut)]) {
        buffer.fill(0);
        part.copy(buffer);
        way.decrypt(buffer.subarray(0, part.length), 0, part.length);
      }
    } catch {
      return false;
    }
    if (read?.equals(payload) !== true) return false;
  }
  return true;
}

describe("the ciphers of which nothing that was read is kept", () => {
  test("are read right out of one buffer, wherever a packet is cut, with every code", async () => {
    await crypto.init;
    const allowed = ciphers.filter(keepsNoReads);
    expect(allowed).toEqual(expect.arrayContaining(["aes128-gcm@openssh.com", "aes128-ctr", "aes256-ctr"]));
    for (const cipher of allowed) {
      for (const mac of macs) expect(readsFromOneBuffer(cipher, mac), `${cipher} ${mac}`).toBe(true);
    }
  });

  test("are not chacha20, which would be read wrong", async () => {
    await crypto.init;
    expect(keepsNoReads("chacha20-poly1305@openssh.com")).toBe(false);
    expect(readsFromOneBuffer("chacha20-poly1305@openssh.com", "hmac-sha2-256")).toBe(false);
  });
});

describe("a socket that reads into one buffer", () => {
  const ends: (() => void)[] = [];
  afterEach(() => {
    for (const end of ends.splice(0)) end();
  });

  /** Both ends of a connection. */
  async function connected() {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const socket = new TargetSocket();
    ends.push(
      () => server.close(),
      () => socket.destroy(),
    );
    socket.connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1" });
    const [[far]] = (await Promise.all([once(server, "connection"), once(socket, "connect")])) as [
      [Socket],
      unknown,
    ];
    ends.push(() => far.destroy());
    return { socket, far };
  }
  /** What comes next, as it is given. */
  async function next({ socket, far }: { socket: TargetSocket; far: Socket }, text: string): Promise<Buffer> {
    const came = once(socket, "data");
    socket.resume();
    far.write(text);
    return (await came)[0] as Buffer;
  }

  test("gives copies until its reader keeps nothing", async () => {
    const ends = await connected();
    const first = await next(ends, "first");
    const second = await next(ends, "other");
    expect([first.toString(), second.toString()]).toEqual(["first", "other"]);
    ends.socket.reusesBuffer = true;
    const third = await next(ends, "third");
    expect(third.toString()).toBe("third");
    const fourth = await next(ends, "fours");
    expect(fourth.buffer).toBe(third.buffer);
    expect(first.toString()).toBe("first");
  });

  test("loses nothing that came before somebody listened, and tells the end", async () => {
    const { socket, far } = await connected();
    far.end("early");
    await new Promise<void>((resolve) => setImmediate(resolve));
    const seen: string[] = [];
    socket.on("data", (bytes: Buffer) => seen.push(bytes.toString())).resume();
    await once(socket, "end");
    expect(seen.join("")).toBe("early");
  });
});
