import { packetType } from "./packet-type.ts";
import type { SftpSession } from "./sftp-session.ts";
import { WireWriter } from "./wire.ts";

/** A file that is open on one channel. */
export interface Lane {
  readonly session: SftpSession;
  readonly handle: Buffer;
}

/** Opens the same file on another channel; fails where the target has none to give. */
export type OpenLane = () => Promise<Lane>;

/**
 * The channels on which one file is written: a second one joins where the first cannot carry what the line could.
 * An SSH server takes no more than so many bytes of one channel unanswered, 2 MiB in OpenSSH.
 */
export class WriteLanes {
  readonly #open: OpenLane;
  readonly #lanes: Lane[];
  #joining: Promise<void> | undefined;
  #closed = false;

  constructor(first: Lane, open: OpenLane) {
    this.#lanes = [first];
    this.#open = open;
  }

  /** Opens the second channel, which is used once it is there. Only the first call does something. */
  widen(): void {
    this.#joining ??= this.#open().then(
      (lane) => {
        if (this.#closed) lane.session.close();
        else this.#lanes.push(lane);
      },
      // One channel is enough, only slower.
      () => {},
    );
  }

  get several(): boolean {
    return this.#lanes.length > 1;
  }

  /** The channel on which the least waits to be sent. */
  get freest(): Lane {
    return this.#lanes.reduce((best, lane) => (lane.session.backlog < best.session.backlog ? lane : best));
  }

  /** Closes the file on all channels but the first, which is its owner's; ends when the target has said yes to it. */
  async closeFiles(): Promise<void> {
    await Promise.all(
      this.#lanes
        .slice(1)
        .map(({ session, handle }) =>
          session.request(packetType.close, new WireWriter().string(handle).done()),
        ),
    );
  }

  /** Closes all channels but the first as they are. */
  giveUp(): void {
    this.#closed = true;
    for (const { session } of this.#lanes.splice(1)) session.close();
  }
}
