/**
 * Loaded into a server by `node --import`: writes the longest transaction of each thread to the file that
 * TRANSACTION_PROBE names, followed by the number of the thread, as `{ work, wall, statement }`: milliseconds, and the
 * longest statement of the transaction. `work`, on Linux alone, leaves out what other work on the machine took. Whoever
 * takes the file away lets it begin anew.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { threadId } from "node:worker_threads";

const file = `${process.env.TRANSACTION_PROBE}.${threadId}`;
const require = createRequire(import.meta.url);

const nothing = { wall: 0, work: 0, statement: "" };
let longest = nothing;

/** @type {{ wall: number, work: number, longest: number, statement: string } | undefined} */
let open;

/** Milliseconds that this thread has run. */
function threadTime() {
  try {
    return Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[0]) / 1e6;
  } catch {
    return Number.NaN;
  }
}

/**
 * A call of SQLite; from BEGIN to COMMIT all calls are one transaction.
 *
 * @template Result
 * @param {string} sql
 * @param {() => Result} call
 * @returns {Result}
 */
function measured(sql, call) {
  if (sql.startsWith("BEGIN"))
    open = { wall: performance.now(), work: threadTime(), longest: 0, statement: "" };
  const since = performance.now();
  try {
    return call();
  } finally {
    const took = performance.now() - since;
    if (open !== undefined && took > open.longest) {
      open.longest = took;
      open.statement = `${took.toFixed(1)} ms ${sql}`;
    }
    if (/^(?:COMMIT|ROLLBACK)/.test(sql)) end();
  }
}

function end() {
  if (open === undefined) return;
  const wall = performance.now() - open.wall;
  const work = threadTime() - open.work;
  if (!existsSync(file)) longest = nothing;
  if (wall > longest.wall || work > longest.work) {
    const statement = work > longest.work ? open.statement : longest.statement;
    longest = { wall: Math.max(wall, longest.wall), work: Math.max(work, longest.work), statement };
    writeFileSync(file, JSON.stringify(longest));
  }
  open = undefined;
}

const { prototype } = isBuiltin("node:sqlite") ? require("node:sqlite").DatabaseSync : require("libsql");
const { exec, prepare } = prototype;
prototype.exec = function (/** @type {string} */ sql) {
  return measured(sql, () => exec.call(this, sql));
};
prototype.prepare = function (/** @type {string} */ sql) {
  const statement = prepare.call(this, sql);
  for (const name of ["all", "get", "run"]) {
    const method = statement[name];
    statement[name] = (/** @type {unknown[]} */ ...values) =>
      measured(sql, () => method.apply(statement, values));
  }
  return statement;
};
