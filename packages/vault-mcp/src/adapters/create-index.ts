import type { DocumentIndex } from "../domain/document-index.ts";
import type { OkfMode } from "../domain/okf.ts";
import type { VisibilityRules } from "../domain/visibility.ts";
import type { IndexConnection } from "./index/answering/index-snapshot.ts";
import { IndexDatabase } from "./index/index-database.ts";
import type { StartKeeper, WatchMode } from "./index/keeper-messages.ts";
import { SqliteIndex } from "./index/sqlite-index.ts";

export interface IndexSettings {
  /** The real path of the vault's folder. */
  readonly root: string;
  readonly rules: VisibilityRules;
  /** Where the index lies; of this vault and these rules alone. Made with its folder where it is missing. */
  readonly file: string;
  readonly okf: OkfMode;
  readonly watch: WatchMode;
  /** Files up to which chokidar watches; above, each folder is watched by itself. 20,000 unless said otherwise. */
  readonly mostByChokidar?: number;
  /** How often the whole vault is looked at in case an event was missed; every minute unless said otherwise. */
  readonly checkEveryMs?: number;
  readonly startKeeper: StartKeeper;
  now(): Date;
  warn(message: string, error: unknown): void;
}

export interface CreatedIndex {
  readonly index: DocumentIndex;
  /** The same index, for whoever answers other questions from it. */
  readonly connection: IndexConnection;
}

/** The index of a vault. Nothing is opened, scanned or watched before its first use. */
export function createIndex(settings: IndexSettings): CreatedIndex {
  const { root, rules, file, okf, watch, startKeeper, now, warn } = settings;
  const { mostByChokidar = 20_000, checkEveryMs = 60_000 } = settings;
  const database = new IndexDatabase({ okf, now, damaged: (error) => index.reportDamage(error) });
  const keeping = { root, rules, file, watch, mostByChokidar, checkEveryMs };
  const index = new SqliteIndex({ database, start: (events) => startKeeper(keeping, events), warn });
  return { index, connection: index.connection };
}
