import type { Engine, RawConnection, RawStatement, Row } from "./engine.ts";
import type { BoundValue } from "./parameters.ts";

/** The part of node:sqlite that is used. Source: nodejs.org/api/sqlite.html (Node 22.13 and later) */
interface NodeSqlite {
  readonly DatabaseSync: new (location: string) => NodeDatabase;
}

interface NodeDatabase {
  exec(sql: string): void;
  prepare(sql: string): NodeStatement;
  close(): void;
}

interface NodeStatement {
  all(...values: BoundValue[]): Row[];
  get(...values: BoundValue[]): Row | undefined;
  run(...values: BoundValue[]): { readonly changes: number | bigint };
}

/** Loads node:sqlite; rejects where this Node does not have it. */
export async function load(): Promise<Engine> {
  // A variable, since bundlers and type checkers of Node 20 do not know the module.
  const name = "node:sqlite";
  const { DatabaseSync } = (await import(/* @vite-ignore */ name)) as NodeSqlite;
  return { name, open: (location) => connect(new DatabaseSync(location)) };
}

function connect(database: NodeDatabase): RawConnection {
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => wrap(database.prepare(sql)),
    close: () => database.close(),
  };
}

function wrap(statement: NodeStatement): RawStatement {
  return {
    all: (values) => statement.all(...values),
    get: (values) => statement.get(...values),
    run: (values) => Number(statement.run(...values).changes),
  };
}
