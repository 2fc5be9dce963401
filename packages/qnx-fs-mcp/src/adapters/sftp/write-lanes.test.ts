import { Duplex } from "node:stream";
import { describe, expect, test } from "vitest";
import { packetType } from "./packet-type.ts";
import { SftpSession } from "./sftp-session.ts";
import { WireWriter } from "./wire.ts";
import { type Lane, WriteLanes } from "./write-lanes.ts";

/** A file on a channel whose other side takes nothing any more. */
async function stuckLane(): Promise<Lane & { readonly channel: Duplex }> {
  let first = true;
  const channel = new Duplex({
    read() {},
    write(_chunk, _encoding, done) {
      if (first) done();
      first = false;
    },
  });
  const opening = SftpSession.open(channel, { startTimeoutMs: 5_000, requestTimeoutMs: 5_000 });
  channel.push(new WireWriter().uint8(packetType.version).uint32(3).packet());
  return { session: await opening, handle: Buffer.from("h"), channel };
}

const fill = ({ session }: Lane, bytes: number): void => {
  session.request(packetType.write, Buffer.alloc(bytes)).catch(() => {});
};
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the channels of a put", () => {
  test("are two once it is widened, and what comes next goes where the least waits", async () => {
    const [first, second] = [await stuckLane(), await stuckLane()];
    let opened = 0;
    const lanes = new WriteLanes(first, async () => {
      opened++;
      return second;
    });
    fill(first, 1000);
    expect(lanes.freest).toBe(first);
    expect(lanes.several).toBe(false);
    lanes.widen();
    lanes.widen();
    await turn();
    expect([opened, lanes.several]).toEqual([1, true]);
    expect(lanes.freest).toBe(second);
    fill(second, 2000);
    expect(lanes.freest).toBe(first);
    lanes.giveUp();
    expect([first.session.usable, second.session.usable]).toEqual([true, false]);
    expect(lanes.freest).toBe(first);
  });

  test("are one where the target gives no other, and one that comes too late is closed", async () => {
    const [first, late] = [await stuckLane(), await stuckLane()];
    const alone = new WriteLanes(first, () => Promise.reject(new Error("refused")));
    alone.widen();
    await turn();
    expect(alone.freest).toBe(first);
    await alone.closeFiles();

    const over = new WriteLanes(first, async () => late);
    over.widen();
    over.giveUp();
    await turn();
    expect([over.several, late.session.usable, late.channel.destroyed]).toEqual([false, false, true]);
  });
});
