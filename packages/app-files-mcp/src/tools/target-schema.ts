import { eot } from "@mcp-file-servers/core";
import * as z from "zod";
import { AppFilesError } from "../domain/errors.ts";
import { count } from "./schemas.ts";

/** Failures that every tool has which changes one file (path), or all of a prefix. */
export const targetFailures = [
  "INVALID_ARGUMENT",
  "INVALID_APP",
  "APP_NOT_ALLOWED",
  "INVALID_PATH",
  "NOT_FOUND",
  "VERSION_CONFLICT",
  "TOO_MANY_FILES",
  "COMMAND_ID_REUSED",
  "STORE_UNAVAILABLE",
] as const;

/** How the answers of such tools end. */
export const targetAnswerEnd = {
  files_version: count.describe("of the app now"),
  note: z.string().optional(),
  eot,
};

export function targetSubject(args: { app: string; path?: string | undefined; prefix?: string | undefined }) {
  return `${args.app} ${args.path ?? `${args.prefix}*`}`;
}

/** That not all files are named, where they are not. */
export function firstOf(shown: number, count: number): { note?: string } {
  return shown < count ? { note: `The first ${shown} of ${count} files are named.` } : {};
}

/** An argument that a prefix cannot do without. */
export function missingWithPrefix(argument: string, next: string): AppFilesError {
  return new AppFilesError("INVALID_ARGUMENT", { argument, problem: "is missing; prefix needs it", next });
}
