import { migrate, openDatabase } from "@mcp-file-servers/sqlite";
import { schemaSteps } from "../src/adapters/sqlite/schema.ts";

/** Writes with nothing around them: no look, no plan, no hash. */
export interface Floor {
  /** The rows and indexes of one file, as the store writes them, in one commit. */
  writeSame(n: number, data: Uint8Array): Promise<void>;
  /** One row without an index. */
  writeRow(data: Uint8Array): Promise<void>;
  close(): void;
}

export async function openFloor(path: string): Promise<Floor> {
  const database = await openDatabase(path, { synchronous: "FULL" });
  await migrate(database, schemaSteps);
  await database.write(({ exec }) =>
    exec(`INSERT INTO app (name, files_version, count, bytes, history_bytes, feed_floor, updated_at)
      VALUES ('floor', 0, 0, 0, 0, 0, 0); CREATE TABLE bare (id INTEGER PRIMARY KEY, data BLOB)`),
  );
  return {
    async writeSame(n, data) {
      // Spread over the index, as hashes are.
      const sha256 = ((n * 2_654_435_761) % 4_294_967_296).toString(16).padStart(8, "0").repeat(8);
      const file = `written/${n}.txt`;
      await database.write(({ run }) => {
        run(
          `INSERT INTO blob (sha256, size, refs, is_text, newlines, ends_with_newline, blocks, data)
           VALUES (?, 1024, 1, 1, 0, 0, ?, ?)`,
          [sha256, new Uint8Array(36), data],
        );
        run("UPDATE app SET files_version = ?, count = ?, bytes = ?, updated_at = ? WHERE id = 1", [
          n,
          n,
          n,
          n,
        ]);
        run("UPDATE store SET files = files + 1, physical_bytes = physical_bytes + 1024");
        run(
          `INSERT INTO file (app, path, folded, state, version, files_version, size, mime, sha256, created_at,
             updated_at, action, client) VALUES (1, ?, ?, 0, 1, ?, 1024, 'text/plain', ?, ?, ?, 'write', 'bench')`,
          [file, file, n, sha256, n, n],
        );
      });
    },
    async writeRow(data) {
      await database.write(({ run }) => run("INSERT INTO bare (data) VALUES (?)", [data]));
    },
    close: () => database.close(),
  };
}
