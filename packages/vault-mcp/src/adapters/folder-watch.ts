import type { Visibility } from "../domain/visibility.ts";

export interface WatchedPlace {
  /** The real path of the vault's folder. */
  readonly root: string;
  readonly visibility: Visibility;
}

export interface WatchEvents {
  /** Vault-relative paths at or below which something changed; a burst comes as one. */
  changed(paths: readonly string[]): void;
  /** Watching has stopped, such as when the system's limit is reached. */
  failed(error: unknown): void;
}

/** Watches the folders of a vault until it is ended. */
export interface FolderWatch {
  /** Told of the folders that there are, after each look at the disk. */
  follow(folders: ReadonlySet<string>): void;
  end(): Promise<void>;
}
