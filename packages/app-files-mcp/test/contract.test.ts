import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describeServerContract, installPacked, nodeBinaries } from "@mcp-file-servers/core/testing";
import { afterAll } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { app } from "../src/app.ts";
import { changeCalls, changeOutages, changeRefusals, changeWalks } from "./contract-changes.ts";
import { arrangeStore, notesPaths, type StoreWorld, wreckDatabase } from "./world.ts";

const text = "some text";
const write = (more: Record<string, unknown>) => () => ({ app: "scratch", path: "f.txt", text, ...more });
const read = (more: Record<string, unknown>) => () => ({ app: "notes", path: "data.txt", ...more });
const list = (more: Record<string, unknown>) => () => ({ app: "notes", ...more });

const begin = (more: Record<string, unknown>) => () => ({ app: "scratch", size: 3, ...more });
const chunk = (more: Record<string, unknown>) => (world: StoreWorld) => ({
  upload_id: world.uploads.whole,
  seq: 0,
  data_base64: "YWJj",
  ...more,
});
const commit = (more: Record<string, unknown>) => (world: StoreWorld) => ({
  upload_id: world.uploads.whole,
  path: "f.txt",
  size: 3,
  ...more,
});

const take = (more: Record<string, unknown>) => () => ({
  app: "scratch",
  path: "in.txt",
  local_path: "in.txt",
  ...more,
});
const give = (more: Record<string, unknown>) => () => ({
  app: "notes",
  path: "data.txt",
  local_path: "out.txt",
  overwrite: true,
  ...more,
});

const paths = notesPaths;

// As users get it: packed, and installed alone in an empty folder.
const packed = await installPacked(fileURLToPath(new URL("..", import.meta.url)), ["libsql"]);
afterAll(packed.dispose);

describeServerContract<StoreWorld>(
  {
    manifest,
    bin: packed.bin,
    golden: fileURLToPath(new URL("golden/tools.json", import.meta.url)),
    tools: app.tools,
    arrange: arrangeStore,
    calls: {
      file_list: list({ limit: 3 }),
      file_read: read({}),
      file_write: write({}),
      file_write_begin: begin({}),
      file_write_chunk: chunk({}),
      file_write_commit: commit({}),
      file_import: take({ overwrite: true }),
      file_export: give({}),
      ...changeCalls,
    },
    refusals: [
      { tool: "file_list", code: "INVALID_APP", args: list({ app: "Not An App" }) },
      { tool: "file_read", code: "INVALID_APP", args: read({ app: "1st" }) },
      { tool: "file_write", code: "INVALID_APP", args: write({ app: "a".repeat(33) }) },
      { tool: "file_list", code: "APP_NOT_ALLOWED", args: list({ app: "secret" }) },
      { tool: "file_read", code: "APP_NOT_ALLOWED", args: read({ app: "secret" }) },
      { tool: "file_write", code: "APP_NOT_ALLOWED", args: write({ app: "secret" }) },
      { tool: "file_write", code: "LIMIT_EXCEEDED", args: write({ text: "x".repeat(1_100_000) }) },
      { tool: "file_list", code: "PATTERN_TOO_COSTLY", args: list({ pattern: "*a*b*c*d*" }) },
      { tool: "file_list", code: "CHANGES_EXPIRED", args: () => ({ app: "old", changed_since: 1 }) },
      { tool: "file_read", code: "INVALID_PATH", args: read({ path: "../secret" }) },
      { tool: "file_read", code: "NOT_FOUND", args: read({ path: "data.tx" }) },
      { tool: "file_read", code: "VERSION_GONE", args: read({ path: "many.txt", version: 1 }) },
      { tool: "file_read", code: "NOT_TEXT", args: read({ path: "data/picture.png", as: "text" }) },
      { tool: "file_read", code: "CORRUPT", args: read({ path: "data/broken.bin" }) },
      { tool: "file_write", code: "INVALID_PATH", args: write({ path: "a//b" }) },
      { tool: "file_write", code: "INVALID_BASE64", args: write({ text: undefined, data_base64: "ab c" }) },
      { tool: "file_write", code: "PATH_COLLISION", args: write({ app: "notes", path: "DATA" }) },
      { tool: "file_write", code: "VERSION_CONFLICT", args: write({ expected_version: 7 }) },
      { tool: "file_write", code: "SHA256_MISMATCH", args: write({ expected_sha256: "0".repeat(64) }) },
      {
        tool: "file_write",
        code: "COMMAND_ID_REUSED",
        args: write({ command_id: "once" }),
        prepare: async (_world, server) => {
          await server.call("file_write", { app: "scratch", path: "other.txt", text, command_id: "once" });
        },
      },
      {
        tool: "file_write",
        code: "CORRUPT",
        args: write({ app: "notes", path: "data/broken.bin", append: true }),
      },
      { tool: "file_write_begin", code: "INVALID_APP", args: begin({ app: "A" }) },
      { tool: "file_write_begin", code: "APP_NOT_ALLOWED", args: begin({ app: "secret" }) },
      { tool: "file_write_begin", code: "LIMIT_EXCEEDED", args: begin({ size: 2_000_000 }) },
      {
        tool: "file_write_begin",
        code: "UPLOAD_NOT_FOUND",
        args: begin({ app: undefined, size: undefined, upload_id: "none" }),
      },
      {
        tool: "file_write_begin",
        code: "TOO_MANY_UPLOADS",
        args: begin({ app: "scratchy" }),
        prepare: async (_world, server) => {
          for (let n = 0; n < 16; n++) await server.call("file_write_begin", { app: "scratchy", size: 1 });
        },
      },
      { tool: "file_write_chunk", code: "INVALID_BASE64", args: chunk({ data_base64: "a" }) },
      { tool: "file_write_chunk", code: "UPLOAD_NOT_FOUND", args: chunk({ upload_id: "none" }) },
      { tool: "file_write_chunk", code: "CHUNK_CONFLICT", args: chunk({ data_base64: "eHl6" }) },
      { tool: "file_write_chunk", code: "UPLOAD_TOO_LARGE", args: chunk({ seq: 1 }) },
      {
        tool: "file_write_chunk",
        code: "LIMIT_EXCEEDED",
        args: ({ uploads }) => ({
          upload_id: uploads.roomy,
          seq: 1,
          data_base64: Buffer.alloc(5 * 1024 * 1024 - 1, 3).toString("base64"),
        }),
      },
      { tool: "file_write_commit", code: "INVALID_PATH", args: commit({ path: "/f" }) },
      { tool: "file_write_commit", code: "UPLOAD_NOT_FOUND", args: commit({ upload_id: "none" }) },
      { tool: "file_write_commit", code: "UPLOAD_INCOMPLETE", args: commit({ size: 2 }) },
      { tool: "file_write_commit", code: "VERSION_CONFLICT", args: commit({ expected_version: 7 }) },
      {
        tool: "file_write_commit",
        code: "SHA256_MISMATCH",
        args: commit({ expected_sha256: "0".repeat(64) }),
      },
      {
        tool: "file_write_commit",
        code: "PATH_COLLISION",
        args: commit({ path: "FOLDER/f" }),
        prepare: async (_world, server) => {
          await server.call("file_write", { app: "scratch", path: "folder", text });
        },
      },
      {
        tool: "file_write_commit",
        code: "LIMIT_EXCEEDED",
        args: ({ uploads }) => ({ upload_id: uploads.large, path: "f", size: 2 * 1024 * 1024 }),
      },
      {
        tool: "file_write_commit",
        code: "COMMAND_ID_REUSED",
        args: commit({ command_id: "taken" }),
        prepare: async (_world, server) => {
          await server.call("file_write", { app: "scratch", path: "g", text, command_id: "taken" });
        },
      },
      { tool: "file_import", code: "INVALID_APP", args: take({ app: "A" }) },
      { tool: "file_import", code: "APP_NOT_ALLOWED", args: take({ app: "secret" }) },
      { tool: "file_import", code: "INVALID_PATH", args: take({ path: "" }) },
      { tool: "file_import", code: "FILE_EXISTS", args: take({ app: "notes", path: "data.txt" }) },
      { tool: "file_import", code: "PATH_COLLISION", args: take({ app: "notes", path: "DATA.TXT" }) },
      { tool: "file_import", code: "LOCAL_PATH_REFUSED", args: take({ local_path: "../file" }) },
      { tool: "file_import", code: "LOCAL_NOT_FOUND", args: take({ local_path: "none" }) },
      { tool: "file_import", code: "LOCAL_UNAVAILABLE", args: take({ local_path: "x".repeat(300) }) },
      { tool: "file_import", code: "LIMIT_EXCEEDED", args: take({ local_path: "large" }) },
      {
        tool: "file_import",
        code: "COMMAND_ID_REUSED",
        args: take({ command_id: "used" }),
        prepare: async (_world, server) => {
          await server.call("file_write", { app: "scratch", path: "h", text, command_id: "used" });
        },
      },
      { tool: "file_export", code: "INVALID_APP", args: give({ app: "A" }) },
      { tool: "file_export", code: "APP_NOT_ALLOWED", args: give({ app: "secret" }) },
      { tool: "file_export", code: "INVALID_PATH", args: give({ path: "a\\b" }) },
      { tool: "file_export", code: "NOT_FOUND", args: give({ path: "none" }) },
      { tool: "file_export", code: "CORRUPT", args: give({ path: "data/broken.bin" }) },
      { tool: "file_export", code: "LOCAL_PATH_REFUSED", args: give({ local_path: "../data/store.db" }) },
      { tool: "file_export", code: "LOCAL_EXISTS", args: give({ local_path: "in.txt", overwrite: false }) },
      { tool: "file_export", code: "LOCAL_NOT_FOUND", args: give({ local_path: "in.txt/x" }) },
      { tool: "file_export", code: "LOCAL_UNAVAILABLE", args: give({ local_path: "x".repeat(300) }) },
      ...changeRefusals,
      // The last ones: the store does not survive them.
      {
        tool: "file_write",
        code: "STORE_UNAVAILABLE",
        args: write({ text: "x".repeat(100_000) }),
        prepare: async ({ data }) => {
          await rm(join(data, "tmp"), { recursive: true });
          await writeFile(join(data, "tmp"), "in the way");
        },
      },
      {
        tool: "file_list",
        code: "STORE_UNAVAILABLE",
        args: list({}),
        prepare: ({ data }) => rm(join(data, "tmp")).then(() => wreckDatabase(data)),
      },
      { tool: "file_read", code: "STORE_UNAVAILABLE", args: read({}) },
      ...changeOutages,
      { tool: "file_write_begin", code: "STORE_UNAVAILABLE", args: begin({}) },
      { tool: "file_write_chunk", code: "STORE_UNAVAILABLE", args: chunk({}) },
      { tool: "file_write_commit", code: "STORE_UNAVAILABLE", args: commit({}) },
      { tool: "file_import", code: "STORE_UNAVAILABLE", args: take({}) },
      { tool: "file_export", code: "STORE_UNAVAILABLE", args: give({}) },
    ],
    walks: [
      ...changeWalks,
      {
        tool: "file_list",
        args: list({}),
        list: "files",
        key: ({ path }) => String(path),
        expected: () => paths,
        other: list({ prefix: "d" }),
      },
      {
        tool: "file_list",
        args: list({ order: "desc", details: true }),
        list: "files",
        key: ({ path }) => String(path),
        expected: () => paths.toReversed(),
        other: list({}),
      },
    ],
    badStarts: [
      {
        what: "a data directory below a file",
        args: ({ folder }) => ["--data", join(folder, "file", "data")],
        says: /--data .*cannot be made/,
      },
      {
        what: "an unknown limit",
        args: () => ["--limits", "app_byte=5"],
        says: /--limits must be KEY=VALUE.*"app_byte=5"/,
      },
      {
        what: "a limit out of range",
        args: () => ["--limits", "app_files=0"],
        says: /app_files must be from 1/,
      },
      {
        what: "an app that none can be called",
        args: () => ["--allow-app", "My App"],
        says: /--allow-app must be/,
      },
      {
        what: "a root that is not there",
        args: ({ data, folder }) => ["--data", data, "--root", join(folder, "none")],
        says: /--root .* is not a directory/,
      },
      {
        what: "a read-only server without a store",
        args: ({ folder }) => ["--read-only", "--data", join(folder, "none")],
        says: /holds no store yet/,
      },
      {
        what: "a wrong variable",
        args: () => [],
        env: { APP_FILES_READ_ONLY: "perhaps" },
        says: /APP_FILES_READ_ONLY must be true or false/,
      },
    ],
  },
  nodeBinaries(process),
);
