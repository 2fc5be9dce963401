import type { ClientChannel } from "ssh2";

/** Bytes that a target may send unasked on a channel, and by how many they may fall short before more are granted. */
const wanted = 8 * 1024 * 1024;
const slack = 1024 * 1024;

/** What ssh2 keeps of a channel. Its version is pinned, and a test holds it to this. */
interface Internals {
  readonly incoming: { window: number };
  readonly outgoing: { readonly id: number; readonly state: string };
  readonly _client: { readonly _protocol: { channelWindowAdjust(id: number, bytes: number): void } };
}

/**
 * Keeps a channel's receive window at 8 MiB. By itself ssh2 grants 2 MiB and waits until half of it is used, which
 * leaves a line with a long way to go idle half of the time. What comes is bounded by the requests under way.
 */
export function keepWindowOpen(channel: ClientChannel): void {
  const { incoming, outgoing, _client } = channel as unknown as Internals;
  const topUp = (): void => {
    const missing = wanted - incoming.window;
    if (missing < slack || outgoing.state !== "open") return;
    incoming.window += missing;
    _client._protocol.channelWindowAdjust(outgoing.id, missing);
  };
  topUp();
  channel.on("data", topUp);
}
