import { join } from "node:path";
import type { ServerContract } from "@mcp-file-servers/core/testing";
import { openDatabase } from "@mcp-file-servers/sqlite";
import { fillApp } from "../bench/fill-app.ts";
import { databaseName } from "../src/adapters/sqlite/sqlite-store.ts";
import type { StoreWorld } from "./world.ts";

type Contract = ServerContract<StoreWorld>;
type Refusal = Contract["refusals"][number];
type Prepare = NonNullable<Refusal["prepare"]>;

const of =
  (args: Record<string, unknown>) =>
  (more: Record<string, unknown> = {}) =>
  () => ({ ...args, ...more });

const inspect = of({ app: "notes", path: "many.txt" });
const search = of({ app: "notes", query: "two lines" });
const edit = of({ app: "notes", path: "data.txt", edits: [{ old_text: "This", new_text: "That" }] });
const transfer = of({ app: "notes", path: "data.txt", new_path: "new.txt" });
const remove = of({ app: "notes", path: "data.txt" });
const restore = of({ app: "notes", path: "many.txt", version: 10 });

/** Good calls of the tools that look at the past and change it. */
export const changeCalls: Contract["calls"] = {
  app_list: of({})(),
  file_history: inspect({ limit: 3 }),
  file_search: search({ limit: 3 }),
  file_edit: edit({ dry_run: true }),
  file_copy: transfer({ overwrite: true }),
  file_move: transfer({ path: ".env", overwrite: true }),
  file_delete: remove({ dry_run: true }),
  file_restore: restore(),
};

const used: Prepare = async (_, server) => {
  await server.call("file_write", { app: "scratch", path: "id", text: "x", command_id: "taken by a write" });
};
const reused = { command_id: "taken by a write" };

/** More files than one call changes. */
const crowd: Prepare = async ({ data }) => {
  const database = await openDatabase(join(data, databaseName), { synchronous: "FULL" });
  const many = database.read((reader) => reader.get("SELECT 1 AS n FROM app WHERE name = 'scr-many'"));
  if ((await many) === undefined) await fillApp(database, data, "scr-many", 2_001);
  database.close();
};

const editOf = (old_text: string, new_text = "x") => ({ old_text, new_text });

const named = (tool: string, make: typeof inspect): Refusal[] => [
  { tool, code: "INVALID_APP", args: make({ app: "A" }) },
  { tool, code: "APP_NOT_ALLOWED", args: make({ app: "secret" }) },
];
const pathed = (tool: string, make: typeof inspect): Refusal[] => [
  ...named(tool, make),
  { tool, code: "INVALID_PATH", args: make({ path: "a//b" }) },
  { tool, code: "NOT_FOUND", args: make({ path: "many.tx" }) },
];

const transfers = ["file_copy", "file_move"].flatMap((tool): Refusal[] => [
  ...pathed(tool, transfer),
  { tool, code: "FILE_EXISTS", args: transfer({ new_path: "Zebra.txt" }) },
  { tool, code: "PATH_COLLISION", args: transfer({ new_path: "ZEBRA.txt" }) },
  { tool, code: "VERSION_CONFLICT", args: transfer({ expected_version: 9 }) },
  { tool, code: "LIMIT_EXCEEDED", args: transfer({ app: "old", path: "large.bin" }) },
  { tool, code: "CORRUPT", args: transfer({ app: "old", path: "lost.bin" }) },
  { tool, code: "COMMAND_ID_REUSED", args: transfer(reused), prepare: used },
]);

/** Refused calls of these tools. */
export const changeRefusals: readonly Refusal[] = [
  ...pathed("file_history", inspect),
  ...named("file_search", search),
  { tool: "file_search", code: "PATTERN_TOO_COSTLY", args: search({ pattern: "*a*b*c*d*" }) },

  ...pathed("file_edit", edit),
  { tool: "file_edit", code: "NOT_TEXT", args: edit({ path: "data/picture.png" }) },
  { tool: "file_edit", code: "EDIT_NOT_FOUND", args: edit({ edits: [editOf("this IS")] }) },
  { tool: "file_edit", code: "EDIT_AMBIGUOUS", args: edit({ edits: [editOf("t")] }) },
  {
    tool: "file_edit",
    code: "EDITS_OVERLAP",
    args: edit({ edits: [editOf("This is"), editOf("is data")] }),
  },
  { tool: "file_edit", code: "VERSION_CONFLICT", args: edit({ expected_version: 9 }) },
  {
    tool: "file_edit",
    code: "LIMIT_EXCEEDED",
    args: edit({ edits: [editOf("This", "x".repeat(1_100_000))] }),
  },
  { tool: "file_edit", code: "CORRUPT", args: edit({ path: "data/broken.bin" }) },
  { tool: "file_edit", code: "COMMAND_ID_REUSED", args: edit(reused), prepare: used },

  ...transfers,

  ...pathed("file_delete", remove),
  { tool: "file_delete", code: "VERSION_CONFLICT", args: remove({ expected_version: 9 }) },
  {
    tool: "file_delete",
    code: "COUNT_CONFLICT",
    args: remove({ path: undefined, prefix: "data/", expected_count: 99 }),
  },
  {
    tool: "file_delete",
    code: "TOO_MANY_FILES",
    args: () => ({ app: "scr-many", prefix: "", dry_run: true }),
    prepare: crowd,
  },
  { tool: "file_delete", code: "COMMAND_ID_REUSED", args: remove(reused), prepare: used },

  ...pathed("file_restore", restore),
  { tool: "file_restore", code: "NOT_DELETED", args: restore({ version: undefined }) },
  { tool: "file_restore", code: "VERSION_GONE", args: restore({ version: 1 }) },
  { tool: "file_restore", code: "VERSION_CONFLICT", args: restore({ expected_version: 9 }) },
  { tool: "file_restore", code: "HISTORY_EXPIRED", args: () => ({ app: "old", prefix: "", as_of: 1 }) },
  {
    tool: "file_restore",
    code: "TOO_MANY_FILES",
    args: () => ({ app: "scr-many", prefix: "", as_of: 0 }),
    prepare: crowd,
  },
  {
    tool: "file_restore",
    code: "PATH_COLLISION",
    args: () => ({ app: "scratch", path: "Case.txt" }),
    prepare: async (_, server) => {
      await server.call("file_write", { app: "scratch", path: "Case.txt", text: "x" });
      await server.call("file_move", { app: "scratch", path: "Case.txt", new_path: "case.txt" });
    },
  },
  {
    tool: "file_restore",
    code: "LIMIT_EXCEEDED",
    args: () => ({ app: "old", path: "large.bin", version: 1 }),
  },
  { tool: "file_restore", code: "CORRUPT", args: () => ({ app: "old", path: "lost.bin", version: 1 }) },
  { tool: "file_restore", code: "COMMAND_ID_REUSED", args: restore(reused), prepare: used },
];

/** What all of them say when the store is gone. */
export const changeOutages: readonly Refusal[] = Object.entries(changeCalls).map(([tool, args]) => ({
  tool,
  code: "STORE_UNAVAILABLE",
  args,
}));

export const changeWalks: Contract["walks"] = [
  {
    tool: "app_list",
    args: of({})(),
    list: "apps",
    key: ({ app }) => String(app),
    expected: () => ["notes", "old", "scr-a", "scr-b", "scr-c"],
    other: of({ prefix: "scr" })(),
  },
  {
    tool: "file_history",
    args: inspect(),
    list: "versions",
    key: ({ version }) => String(version),
    expected: () => Array.from({ length: 10 }, (_, n) => String(13 - n)),
    other: inspect({ path: "data.txt" }),
  },
  {
    tool: "file_search",
    args: search(),
    list: "hits",
    key: ({ path, line }) => `${path}:${line}`,
    expected: () =>
      [".env", "Zebra.txt", "a b/résumé (1).pdf", "a b/x,y+z.csv", "data.txt", "日本語.txt"].map(
        (path) => `${path}:2`,
      ),
    other: search({ query: "lines" }),
  },
];
