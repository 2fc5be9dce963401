import type { RawConnection, RawStatement, Row } from "./engine.ts";
import { bindable, countPlaceholders, type Parameter } from "./parameters.ts";
import { toSqliteError } from "./sqlite-error.ts";

/** What can be read inside a transaction. */
export interface Reader {
  /** All rows. `Columns` is what the caller knows of the row's shape; integers are exact up to 2^53. */
  all<Columns extends object = Row>(sql: string, parameters?: readonly Parameter[]): Columns[];
  /** The first row. */
  get<Columns extends object = Row>(sql: string, parameters?: readonly Parameter[]): Columns | undefined;
}

/** What can be done inside a write transaction. */
export interface Writer extends Reader {
  /** Returns the number of rows changed. */
  run(sql: string, parameters?: readonly Parameter[]): number;
  /** Several statements without parameters, for schemas. */
  exec(sql: string): void;
}

/** Prepared statements that are kept; the oldest goes first. */
const cacheSize = 256;

interface Prepared {
  readonly statement: RawStatement;
  readonly placeholders: number;
}

/** The statements of one connection: prepared once, parameters converted and counted, errors mapped. */
export function createStatements(connection: RawConnection): Writer {
  const cache = new Map<string, Prepared>();

  function prepare(sql: string, given: number): RawStatement {
    let prepared = cache.get(sql);
    if (prepared === undefined) {
      prepared = { statement: connection.prepare(sql), placeholders: countPlaceholders(sql) };
      const [oldest] = cache.keys();
      if (cache.size >= cacheSize && oldest !== undefined) cache.delete(oldest);
      cache.set(sql, prepared);
    }
    // Left to themselves, the engines bind NULL for what is missing, and libsql ignores what is too much.
    if (prepared.placeholders !== given) {
      throw new TypeError(`${prepared.placeholders} parameters wanted, ${given} given: ${sql}`);
    }
    return prepared.statement;
  }

  return {
    all<Columns extends object>(sql: string, parameters: readonly Parameter[] = []) {
      return mapped(() => prepare(sql, parameters.length).all(bindable(parameters)) as Columns[]);
    },
    get<Columns extends object>(sql: string, parameters: readonly Parameter[] = []) {
      return mapped(() => prepare(sql, parameters.length).get(bindable(parameters)) as Columns | undefined);
    },
    run: (sql, parameters = []) => mapped(() => prepare(sql, parameters.length).run(bindable(parameters))),
    exec: (sql) => mapped(() => connection.exec(sql)),
  };
}

function mapped<Result>(action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    throw toSqliteError(error);
  }
}
