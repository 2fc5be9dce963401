import type { VisibilityRules } from "../../domain/visibility.ts";

export type WatchMode = "auto" | "poll" | "off";

/** What keeps an index in step with the disk needs to know; may be handed to another thread. */
export interface KeeperSettings {
  /** The real path of the vault's folder. */
  readonly root: string;
  readonly rules: VisibilityRules;
  /** The index file; a lock file lies beside it. */
  readonly file: string;
  readonly watch: WatchMode;
  /** Files up to which chokidar watches; above, each folder is watched by itself. */
  readonly mostByChokidar: number;
  /** How often the whole vault is looked at in case an event was missed, milliseconds. */
  readonly checkEveryMs: number;
}

/** How changes on the disk are noticed; `shared`: by another server, which leads. */
export type WatcherKind = "none" | "polling" | "chokidar" | "folders" | "shared";

/** What the one who leads knows of the index as a whole; kept in the index for the others. */
export interface ScanState {
  /** Whether the index has been in step with the disk once, be it in another run. */
  readonly complete: boolean;
  /** Whether it has been since the leader began. */
  readonly caughtUp: boolean;
  readonly indexed: number;
  readonly found: number;
}

export interface KeeperState extends ScanState {
  /** Changes that are known of and not in the index yet. */
  readonly pending: number;
  readonly watcher: WatcherKind;
  /** Why the vault or the index cannot be used, in words; the path is vault-relative. */
  readonly failure: { readonly path: string; readonly reason: string } | undefined;
}

export type ToKeeper =
  | { readonly kind: "look"; readonly id: number; readonly paths: readonly string[] }
  /** What was read from the index shows that it is damaged. */
  | { readonly kind: "damaged"; readonly detail: string }
  | { readonly kind: "close" };

export type FromKeeper =
  /** The index is there, perhaps in the place of another: open it. */
  | { readonly kind: "opened"; readonly file: string }
  | { readonly kind: "state"; readonly state: KeeperState }
  | { readonly kind: "changed"; readonly paths: readonly string[]; readonly listChanged: boolean }
  | { readonly kind: "looked"; readonly id: number }
  | { readonly kind: "warning"; readonly message: string; readonly detail: string }
  | { readonly kind: "closed" };

/** The two ends of a keeper, wherever it runs. */
export interface KeeperLink {
  send(message: ToKeeper): void;
  /** Ends what is there of the keeper, once it has closed. */
  end(): Promise<void>;
}

export interface KeeperEvents {
  message(message: FromKeeper): void;
  /** The keeper is there no more and did not say why. */
  lost(error: unknown): void;
}

export type StartKeeper = (settings: KeeperSettings, events: KeeperEvents) => KeeperLink;

/** What an index is of: another vault, other rules or another format make another index. */
export function fingerprintOf(
  { root, rules }: Pick<KeeperSettings, "root" | "rules">,
  format: number,
): string {
  return JSON.stringify([format, root, rules.exclude, rules.attachments]);
}
