import type { Target } from "./configuration.ts";
import type { QnxFsError } from "./errors.ts";
import type { Place, Roots } from "./roots.ts";

/** What a connection told about its target. */
export interface TargetFacts {
  /** How the SSH server names itself, such as `OpenSSH_9.8`. */
  readonly server: string;
  readonly sftpVersion: number;
  /** SFTP extensions by name, with their versions. */
  readonly extensions: Readonly<Record<string, string>>;
  readonly algorithms: {
    readonly kex: string;
    readonly hostKey: string;
    readonly cipher: string;
    readonly mac: string;
  };
  /** Whether the SFTP server was run by its path, as the subsystem is missing. */
  readonly sftpByExec: boolean;
}

/** A target that answers: its files, and the roots as they are on this connection. */
export interface OpenTarget extends Place {
  /** What may be changed. */
  readonly writeRoots: Roots;
  readonly facts: TargetFacts;
}

export type ConnectionState =
  | { readonly state: "never_tried" | "connected" | "closed" }
  | { readonly state: "failed"; readonly failure: QnxFsError };

export interface AllowedTarget {
  readonly target: Target;
  readonly connection: ConnectionState;
}

/** The targets that may be used now. */
export interface AllowedTargets {
  readonly configFile: string;
  readonly targets: readonly AllowedTarget[];
  /** Targets of the configuration that `--allow` leaves out. */
  readonly notAllowed: number;
  /** Only a part of them is this caller's. */
  readonly limited?: true;
  /** Whether there is a configuration file at all. */
  readonly configured: boolean;
  /** What is wrong with a configuration that changed; no target is allowed then. */
  readonly problem: string | undefined;
}

/** The port to the targets of the configuration. */
export interface Targets {
  allowed(): Promise<AllowedTargets>;
  /**
   * A connection to a target, opened on first use and shared. Fails with TARGET_NOT_ALLOWED and with every code that
   * connecting can give.
   */
  open(name: string, signal: AbortSignal): Promise<OpenTarget>;
}
