import { createRequire } from "node:module";
import type { Engine, RawConnection, RawStatement, Row } from "./engine.ts";
import type { BoundValue } from "./parameters.ts";

/** The part of libsql that is used. Source: the package's types and index.js, 0.5 */
interface LibsqlDatabase {
  exec(sql: string): void;
  prepare(sql: string): LibsqlStatement;
  close(): void;
}

interface LibsqlStatement {
  all(values: readonly BoundValue[]): LibsqlRow[];
  get(values: readonly BoundValue[]): LibsqlRow | undefined;
  run(values: readonly BoundValue[]): { readonly changes: number };
}

type LibsqlRow = Record<string, string | number | Uint8Array | ArrayBuffer | object | null>;

/** Loads the `libsql` package that is installed beside this module; rejects where there is none that works. */
export async function load(): Promise<Engine> {
  const Database = createRequire(import.meta.url)("libsql") as new (location: string) => LibsqlDatabase;
  return { name: "libsql", open: (location) => connect(new Database(location)) };
}

function connect(database: LibsqlDatabase): RawConnection {
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => wrap(database.prepare(sql)),
    close: () => database.close(),
  };
}

function wrap(statement: LibsqlStatement): RawStatement {
  return {
    all: (values) => statement.all(values).map(plainRow),
    get: (values) => {
      const row = statement.get(values);
      return row === undefined ? undefined : plainRow(row);
    },
    run: (values) => statement.run(values).changes,
  };
}

/** Takes out what libsql adds (`_metadata`) and gives blobs one type: `all` has them as ArrayBuffer, `get` as Buffer. */
function plainRow(row: LibsqlRow): Row {
  delete row._metadata;
  for (const column in row) {
    const value = row[column];
    if (value instanceof ArrayBuffer) row[column] = new Uint8Array(value);
    else if (value instanceof Uint8Array)
      row[column] = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  }
  return row as Row;
}
