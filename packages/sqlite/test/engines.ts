import { isBuiltin } from "node:module";
import type { EngineName } from "../src/index.ts";

/** The engines that the running Node can load: the suite runs on each. libsql's binary loads on Node 24 too. */
export const engines: readonly EngineName[] = isBuiltin("node:sqlite")
  ? ["node:sqlite", "libsql"]
  : ["libsql"];
