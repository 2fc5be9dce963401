/** Limits of a connection; those of time in milliseconds. */
export interface SshLimits {
  readonly connectMs: number;
  readonly loginMs: number;
  readonly subsystemMs: number;
  readonly requestMs: number;
  readonly keepaliveMs: number;
  /** Keepalives without an answer after which a connection is dead. */
  readonly keepalives: number;
  /** A connection that was not used for so long is closed. */
  readonly idleMs: number;
  /** Channels that may be given up before the connection itself is. */
  readonly abandonedChannels: number;
  /**
   * Bytes on the way there and back from which on one channel may hold a put back, so that a second one is opened:
   * half of what OpenSSH takes of a channel unanswered.
   */
  readonly oneChannelBytes: number;
}

export const defaultLimits: SshLimits = {
  connectMs: 15_000,
  loginMs: 20_000,
  subsystemMs: 10_000,
  requestMs: 30_000,
  keepaliveMs: 10_000,
  keepalives: 3,
  idleMs: 300_000,
  abandonedChannels: 3,
  oneChannelBytes: 1024 * 1024,
};
