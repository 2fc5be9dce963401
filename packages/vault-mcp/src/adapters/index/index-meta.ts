import type { Database } from "@mcp-file-servers/sqlite";
import type { IndexChange } from "../../domain/document-index.ts";
import type { ScanState } from "./keeper-messages.ts";

/** What the leader last told of its scan. */
export async function readScan(database: Database): Promise<Partial<ScanState>> {
  const row = await database.read(({ get }) =>
    get<{ value: string }>("SELECT value FROM meta WHERE name = 'scan'"),
  );
  return row === undefined ? {} : JSON.parse(row.value);
}

export async function writeScan(database: Database, scan: ScanState): Promise<void> {
  await database.write(({ run }) =>
    run("UPDATE meta SET value = ? WHERE name = 'scan'", [JSON.stringify(scan)]),
  );
}

export interface LaterChange extends IndexChange {
  readonly generation: number;
}

/** What changed after a generation, as far as `most` paths, and the generation that it is now. */
export function changesSince(database: Database, generation: number, most: number): Promise<LaterChange> {
  return database.read(({ get, all }) => {
    const value = (name: string) =>
      Number(get<{ value: number }>("SELECT value FROM meta WHERE name = ?", [name])?.value ?? 0);
    const now = value("generation");
    const rows =
      now <= generation || most === 0
        ? []
        : all<{ path: string }>(
            "SELECT path FROM document WHERE changed_in > ? UNION SELECT path FROM gone WHERE gone_in > ? LIMIT ?",
            [generation, generation, most],
          );
    return {
      generation: now,
      paths: rows.map(({ path }) => path),
      listChanged: value("membership") > generation,
    };
  });
}
