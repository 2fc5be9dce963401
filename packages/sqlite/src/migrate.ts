import type { Database } from "./database.ts";
import { SqliteError } from "./sqlite-error.ts";

/**
 * Brings the schema up to date: `steps[n]` leads from version n to n + 1, and `PRAGMA user_version` says where a
 * file is. All steps run in one transaction.
 *
 * @throws SqliteError NEWER for a file that a later version of the program has written.
 */
export async function migrate(database: Database, steps: readonly string[]): Promise<void> {
  const current = await database.read(({ get }) => userVersion(get("PRAGMA user_version")));
  if (current === steps.length) return;
  await database.write(({ get, exec }) => {
    // Read again: another process may have been faster.
    const version = userVersion(get("PRAGMA user_version"));
    if (version > steps.length) {
      throw new SqliteError(
        "NEWER",
        `The database ${database.path} has schema ${version}, this version knows ${steps.length}`,
      );
    }
    for (const step of steps.slice(version)) exec(step);
    exec(`PRAGMA user_version = ${steps.length}`);
  });
}

function userVersion(row: object | undefined): number {
  return row !== undefined && "user_version" in row ? Number(row.user_version) : 0;
}
