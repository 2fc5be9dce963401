import * as z from "zod";

/** Most bytes of a file that any configuration allows: 1 TiB. */
const mostBytes = 1024 ** 4;

export const appArgument = z.string().describe("app name, such as recipes: a-z, 0-9, -; at most 32");

export const pathArgument = z.string().describe("path in the app, such as reports/july.pdf");

/** A version number of a file. */
export const versionNumber = z.int().min(1).max(1_000_000_000);

export const byteCount = z.int().min(0).max(mostBytes);

export const sha256 = z.string().describe("lower-case hex");

export const mimeArgument = z
  .string()
  .optional()
  .describe("media type, such as text/csv; else kept or detected");

export const expectedVersionArgument = z
  .int()
  .min(0)
  .max(1_000_000_000)
  .optional()
  .describe("required current version; 0: no file");

/** What something must hash to; each tool says what. */
export const sha256Argument = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, "must be 64 hex digits")
  .optional();

export const commandIdArgument = z
  .string()
  .optional()
  .describe("your id; the same call within 30 days is done once");

export const localPathArgument = z
  .string()
  .describe("path on the server's disk, absolute or relative to the first --root");

export const prefixArgument = z
  .string()
  .optional()
  .describe("only paths that start with it, such as reports/");

/** Only over HTTP. */
export const urlField = z.string().optional().describe("the file over HTTP, with the token of these calls");

/** Numbers in answers. */
export const count = z.int().min(0);
export const ordinal = z.int().min(1);

export const countArgument = z.int().min(0).max(1_000_000_000_000);

/** Bytes that the list of an answer may take beside its other fields. */
export function listRoom(budget: number): number {
  return budget - 1_200;
}
