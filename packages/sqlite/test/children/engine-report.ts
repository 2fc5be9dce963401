/** Prints, as JSON, which engine is found and what loading the one named (or the found one) comes to. */
import { findEngine, loadEngine } from "../../src/engine.ts";

const found = findEngine();
const outcome = await loadEngine(process.argv[2] === "libsql" ? "libsql" : found).then(
  (engine) => engine.name,
  (error: Error) => error.name,
);
process.stdout.write(JSON.stringify({ found: found ?? null, outcome }));
