import type { Database, Reader } from "@mcp-file-servers/sqlite";
import type { Change } from "../../domain/store.ts";

/** Changes that are told one by one at most; the rest of a burst is told at the next look. */
const mostAtOnce = 1_000;

interface AppVersion {
  readonly id: number;
  readonly name: string;
  readonly files_version: number;
}

interface ChangedRow {
  readonly path: string;
  readonly state: number;
  readonly files_version: number;
  readonly created_at: number;
  readonly updated_at: number;
}

/** Looks for changes after commits, this process's and others', and tells them once. */
export interface ChangeWatch {
  /** Looks now; to be called after a commit of this process. */
  look(): Promise<void>;
  stop(): void;
}

/** Watches from the state at the first look on. */
export function watchChanges(
  database: Database,
  listener: (changes: readonly Change[]) => void,
  onError: (error: unknown) => void,
): ChangeWatch {
  let known: Map<string, number> | undefined;
  let stopped = false;
  let looking: Promise<void>;

  async function lookOnce(): Promise<void> {
    if (stopped) return;
    try {
      const result = await database.read((reader) => readChanges(reader, known));
      known = result.known;
      if (result.changes.length > 0 && !stopped) listener(result.changes);
      if (result.more) look();
    } catch (error) {
      if (!stopped) onError(error);
    }
  }

  function look(): Promise<void> {
    looking = looking.then(lookOnce);
    return looking;
  }

  // Not behind anything: what is written from now on must be found new.
  looking = lookOnce();
  const stopPolling = database.watchCommits(look);
  return {
    look,
    stop() {
      stopped = true;
      stopPolling();
    },
  };
}

function readChanges(reader: Reader, known: ReadonlyMap<string, number> | undefined) {
  const apps = reader.all<AppVersion>("SELECT id, name, files_version FROM app");
  const now = new Map(apps.map(({ name, files_version }) => [name, files_version]));
  const changes: Change[] = [];
  let more = false;
  for (const app of known === undefined ? [] : apps) {
    const since = known?.get(app.name) ?? 0;
    if (since === app.files_version) continue;
    const rows = reader.all<ChangedRow>(
      `SELECT path, state, files_version, created_at, updated_at FROM file
       WHERE app = ? AND files_version > ? AND state < 2 ORDER BY files_version LIMIT ?`,
      [app.id, since, mostAtOnce],
    );
    for (const row of rows) changes.push({ app: app.name, path: row.path, kind: kindOf(row) });
    const last = rows.at(-1);
    if (rows.length === mostAtOnce && last !== undefined) {
      now.set(app.name, last.files_version);
      more = true;
    }
  }
  return { known: now, changes, more };
}

function kindOf(row: ChangedRow): Change["kind"] {
  if (row.state !== 0) return "deleted";
  return row.created_at === row.updated_at ? "created" : "updated";
}
