import * as z from "zod";

/** Most bytes of a file that any configuration allows: 1 TiB. */
const mostBytes = 1024 ** 4;

export const appArgument = z
  .string()
  .describe("the app whose files are meant: a lower-case letter, then a-z, 0-9 and -, 32 characters at most");

export const pathArgument = z
  .string()
  .describe(
    "the file's path in the app, relative, such as reports/2031/july.pdf; spaces and any script are fine",
  );

/** A version number of a file. */
export const versionNumber = z.int().min(1).max(1_000_000_000);

export const byteCount = z.int().min(0).max(mostBytes);

export const sha256 = z.string().describe("lower-case hex");

export const mimeArgument = z
  .string()
  .optional()
  .describe(
    "media type, such as text/csv; without it the file keeps the one it has, a new one's is detected",
  );

export const expectedVersionArgument = z
  .int()
  .min(0)
  .max(1_000_000_000)
  .optional()
  .describe("write only if this is the current version; 0: only if there is no such file");

/** What something must hash to; each tool says what. */
export const sha256Argument = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, "must be 64 hex digits")
  .optional();

export const commandIdArgument = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe(
    "an id of your choice for this one write: the same call again within 30 days is not carried out twice",
  );

export const localPathArgument = z
  .string()
  .describe("path on the server's disk: absolute, or relative to the first --root directory");
