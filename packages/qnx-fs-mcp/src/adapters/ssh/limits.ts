/** Time limits of a connection, in milliseconds. */
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
};
