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
