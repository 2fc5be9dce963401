import { access, constants, mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { ConfigurationError } from "@mcp-file-servers/core";
import { findEngine } from "@mcp-file-servers/sqlite";
import { databaseName } from "./adapters/sqlite/sqlite-store.ts";
import type { Config } from "./config.ts";

/**
 * Makes sure that the store can be opened later, without opening it: the start stays cheap.
 *
 * @throws ConfigurationError
 */
export async function checkSurroundings({ data, readOnly, roots }: Config): Promise<void> {
  await (readOnly ? checkReadable(data) : checkWritable(data));
  for (const root of roots) await checkFolder("--root", root);
  if (findEngine() === undefined) {
    throw new ConfigurationError(
      "this Node has no SQLite: use Node 22.13 or newer, or npx -y -p libsql@0.5 -p app-files-mcp app-files-mcp …",
    );
  }
}

async function checkWritable(data: string): Promise<void> {
  try {
    await mkdir(data, { recursive: true, mode: 0o700 });
    await access(data, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new ConfigurationError(
      `--data ${data} cannot be ${reasonOf(error) === "EACCES" ? "written" : "made"} (${reasonOf(error)}); give a directory that this user can write`,
    );
  }
}

async function checkReadable(data: string): Promise<void> {
  const database = join(data, databaseName);
  try {
    await access(database, constants.R_OK);
  } catch (error) {
    const missing = reasonOf(error) === "ENOENT";
    throw new ConfigurationError(
      missing
        ? `--data ${data} holds no store yet; start once without --read-only, or give another directory`
        : `--data ${data} cannot be read (${reasonOf(error)}); give a directory that this user can read`,
    );
  }
}

async function checkFolder(flag: string, folder: string): Promise<void> {
  const state = await stat(folder).catch(() => undefined);
  if (state?.isDirectory() !== true)
    throw new ConfigurationError(`${flag} ${folder} is not a directory that can be read`);
}

function reasonOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
