import { createRequire, isBuiltin } from "node:module";
import type { BoundValue } from "./parameters.ts";

/** The SQLite that is used: the one in Node, or the prebuilt `libsql` package. */
export type EngineName = "node:sqlite" | "libsql";

/** A row as the package hands it out: plain values by column name, blobs as `Uint8Array`. */
export type Row = Record<string, string | number | Uint8Array | null>;

/** A prepared statement of either engine. */
export interface RawStatement {
  all(values: readonly BoundValue[]): Row[];
  get(values: readonly BoundValue[]): Row | undefined;
  /** Returns the number of rows changed. */
  run(values: readonly BoundValue[]): number;
}

/** A connection of either engine; its errors are the engine's own. */
export interface RawConnection {
  exec(sql: string): void;
  prepare(sql: string): RawStatement;
  close(): void;
}

export interface Engine {
  readonly name: EngineName;
  /** Opens a file by path or `file:` URI. */
  open(location: string): RawConnection;
}

/** This Node has no SQLite and no `libsql` is installed (or its binary does not load: see `cause`). */
export class MissingEngineError extends Error {
  override readonly name = "MissingEngineError";

  constructor(options?: ErrorOptions) {
    super("No SQLite here: this Node has no node:sqlite, and no working libsql package was found", options);
  }
}

/**
 * Which engine `loadEngine` would take, found without loading it; undefined where there is none. node:sqlite is
 * a builtin from Node 22.13 on; libsql is looked up from this module (or the bundle that holds it).
 */
export function findEngine(): EngineName | undefined {
  if (isBuiltin("node:sqlite")) return "node:sqlite";
  try {
    createRequire(import.meta.url).resolve("libsql");
    return "libsql";
  } catch {
    return undefined;
  }
}

/**
 * Loads the engine: the one named, or the best one here.
 *
 * @throws MissingEngineError
 */
export async function loadEngine(name: EngineName | undefined = findEngine()): Promise<Engine> {
  if (name === undefined) throw new MissingEngineError();
  try {
    const adapter =
      name === "libsql" ? await import("./libsql-engine.ts") : await import("./node-sqlite-engine.ts");
    return await adapter.load();
  } catch (error) {
    throw new MissingEngineError({ cause: error });
  }
}
