/** What each failure code tells about itself; the texts are made elsewhere. Paths and names are as the caller gave them. */
export interface FailureDetails {
  /** `problem` is set when the configuration changed and can no longer be read. */
  TARGET_NOT_ALLOWED: { target: string; allowed: readonly string[]; configFile: string; problem?: string };
  TARGET_UNREACHABLE: At & { step: "settings" | "connect"; reason: string };
  HANDSHAKE_FAILED: At & HandshakeProblem;
  AUTH_FAILED: At & LoginProblem;
  /** `variable` names the environment variable that held the passphrase, when one is configured. */
  KEY_ENCRYPTED: At & { file: string; variable?: string };
  KEY_UNREADABLE: At & { file: string; reason: string };
  HOST_KEY_UNKNOWN: At & {
    type: string;
    fingerprint: string;
    lookedIn: readonly string[];
    authority?: string;
  };
  HOST_KEY_CHANGED: At & {
    expected: readonly HostKeyNote[];
    presented: readonly HostKeyNote[];
    /** Where the presented key is marked as revoked. */
    revokedIn?: string;
  };
  /** `printed`: text that came before the SFTP packets, from a login script as a rule. */
  SFTP_MISSING: At & { reason: string; tried: readonly string[]; printed?: string };
  CONNECTION_LOST: { target: string; step: string; reason: string };
  /** `normalised` is null where no path is meant, as for an empty or a relative one. */
  PATH_NOT_NORMALISED: { path: string; normalised: string | null };
  /**
   * `byLink`: the path lies below a root, but a link on the way leads out of it. `writing`: the write roots are meant.
   * `closed`: it lies in /proc or /dev, where nothing is changed whatever the roots say.
   */
  OUTSIDE_ROOTS: {
    target: string;
    path: string;
    roots: readonly string[];
    byLink: boolean;
    writing?: boolean;
    closed?: boolean;
  };
  /**
   * `nearest`: the directory above it that is there, where one of the roots holds it. `toMake`: it is a directory that
   * should have held something new.
   */
  NOT_FOUND: AtPath & { nearest?: string | undefined; toMake?: boolean };
  NOT_A_DIRECTORY: AtPath & { type: string };
  NOT_A_FILE: AtPath & { type: string };
  IS_LINK: AtPath;
  ALREADY_EXISTS: OnEitherSide;
  PERMISSION_DENIED: AtPath & { user: string };
  NO_SPACE: OnEitherSide & { needed?: number; free?: number };
  /** SFTP says no more than "failure"; `causes` are the likely ones. */
  REFUSED_BY_TARGET: AtPath & { operation: string; reply: string; causes: readonly string[] };
  CHANGED_WHILE_READING: AtPath;
  VERIFY_FAILED: AtPath & { reason: string };
  /** `left`: what may lie on the target now; `changed`: whether the path itself may have been changed. */
  OUTCOME_UNKNOWN: AtPath & { left: readonly string[]; changed: "no" | "perhaps" };
  /** `reason`: why a path within the roots cannot be used either; `instead`: what to pass then, one sentence. */
  LOCAL_PATH_REFUSED: {
    path: string;
    roots: readonly string[];
    add: string;
    reason?: string;
    instead?: string;
  };
  NAME_NOT_UTF8: AtPath;
  PATTERN_TOO_COSTLY: { argument: string; pattern: string; limit: string };
  /** `next` is one imperative sentence. */
  INVALID_ARGUMENT: { argument: string; problem: string; next: string };
  INVALID_CURSOR: { reason: string };
}

/** A machine on the way to a target: the target itself or one of its jumps. */
export interface At {
  target: string;
  /** `host:port`, with the jump's name before it where it is one. */
  endpoint: string;
  /** Where the configuration speaks of it, such as `targets.tb`. */
  setting: string;
}

interface AtPath {
  target: string;
  path: string;
}

/** `target` is null for a path on this host. */
interface OnEitherSide {
  target: string | null;
  path: string;
}

export interface HostKeyNote {
  /** Absent for a bare fingerprint. */
  type?: string;
  fingerprint: string;
  /** The file and line, or the setting, that it comes from. */
  source?: string;
}

/** `offer`: what each side offers where they have nothing in common. */
export interface HandshakeProblem {
  reason: string;
  kind: "algorithms" | "integrity" | "timeout" | "protocol";
  offer?: { what: string; ours: readonly string[]; theirs: readonly string[]; preset?: string };
}

/** `variable` is one that is configured but not set; `agent` says that it should hold the agent's address. */
export interface LoginProblem {
  user: string;
  kind: "refused" | "variable" | "agent" | "new-password" | "prompts" | "timeout";
  tried: readonly string[];
  /** Ways that are configured and could not be tried, each with the reason. */
  unused?: readonly string[];
  offered: readonly string[];
  variable?: string;
  /** What the target or the agent said. */
  said?: string;
}

export type FailureCode = keyof FailureDetails;

/** The one error of this server's domain and adapters. Source of the codes: `FailureDetails`. */
export class QnxFsError<Code extends FailureCode = FailureCode> extends Error {
  override readonly name = "QnxFsError";
  readonly code: Code;
  readonly details: FailureDetails[Code];

  constructor(code: Code, details: FailureDetails[Code], options?: ErrorOptions) {
    super(code, options);
    this.code = code;
    this.details = details;
  }
}

/** Whether an error is one of this server's, of one of the codes where any are given. */
export function isQnxFsError<Code extends FailureCode = FailureCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is QnxFsError<Code> {
  return (
    error instanceof QnxFsError && (codes.length === 0 || (codes as readonly string[]).includes(error.code))
  );
}
