export { type Database, type DatabaseOptions, openDatabase, type TransactionOptions } from "./database.ts";
export { type EngineName, findEngine, MissingEngineError, type Row } from "./engine.ts";
export { openProcessLock, type ProcessLock, type ProcessLockOptions } from "./lock.ts";
export { migrate } from "./migrate.ts";
export type { Parameter } from "./parameters.ts";
export type { RetryClock } from "./retry.ts";
export { SqliteError, type SqliteErrorCode } from "./sqlite-error.ts";
export type { Reader, Writer } from "./statements.ts";
