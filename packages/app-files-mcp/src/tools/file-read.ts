import { Answer, cutText, eot, jsonBytes } from "@mcp-file-servers/core";
import * as z from "zod";
import { parseApp } from "../domain/app-name.ts";
import { lineCount } from "../domain/content.ts";
import { AppFilesError } from "../domain/errors.ts";
import { parsePath } from "../domain/file-path.ts";
import { isShownImage, mayBeShown } from "../domain/image.ts";
import { readAll, readVerified } from "../domain/read-window.ts";
import type { StoredContent } from "../domain/store.ts";
import { readLines, readTextAt } from "../domain/text-window.ts";
import { checkOffset, type ReadWindow, windowOf } from "../domain/window.ts";
import { defineTool } from "./define.ts";
import { appArgument, byteCount, pathArgument, sha256, versionNumber } from "./schemas.ts";

const lineNumber = z.int().min(1).max(1_000_000_000_000);

/** Bytes of the answer's fields whose values are not known before the window is cut. */
const openFieldsBytes = 220;

/** A window of a file's content. */
export const fileRead = defineTool({
  name: "file_read",
  title: "Read an app file",
  description:
    "Read the content of one file that an app keeps, whole or a window of it: text for UTF-8 files, an image block for images up to 1 MB, otherwise data_base64. " +
    "Use file_list first when the path is not known; it also gives sizes and versions without any content. " +
    "An answer holds what fits: pass next_offset as offset until it is null, with version so that all windows come from one version. " +
    "For text, start_line and end_line read lines instead of bytes; the two ways cannot be mixed. " +
    "version reads an older version while it is kept (VERSION_GONE afterwards), also of a deleted file. " +
    "A window costs the same in a large file as in a small one. Every byte given was checked against its hash; damaged bytes are refused with CORRUPT.",
  effect: "read",
  input: z.strictObject({
    app: appArgument,
    path: pathArgument,
    version: versionNumber.optional().describe("exactly this version; without it the current one"),
    offset: byteCount
      .optional()
      .describe("byte to begin at, such as next_offset; moved back to the start of a character in text"),
    length: z
      .int()
      .min(1)
      .max(1024 ** 4)
      .optional()
      .describe("most bytes to give; as many as fit when left out"),
    start_line: lineNumber.optional().describe("first line of text, counted from 1"),
    end_line: lineNumber.optional().describe("last line, included; may lie beyond the end"),
    as: z
      .enum(["auto", "text", "base64"])
      .default("auto")
      .describe(
        "auto: text, image or base64 by what the file is; text: refused unless UTF-8; base64: any bytes",
      ),
  }),
  output: z.object({
    app: z.string(),
    path: z.string(),
    version: versionNumber,
    mime: z.string(),
    size: byteCount.describe("bytes of the whole file"),
    sha256: sha256.describe("of the whole file, lower-case hex"),
    text: z.string().optional().describe("the window of a text file"),
    data_base64: z.string().optional().describe("the window of any other file"),
    offset: byteCount.describe("byte at which the window begins"),
    next_offset: byteCount.nullable().describe("pass as offset to go on; null at the end of the file"),
    total_lines: z.int().min(0).optional().describe("lines of the whole text"),
    note: z.string().optional(),
    eot,
  }),
  subject: ({ app, path }) => `${app} ${path}`,
  failures: [
    "INVALID_ARGUMENT",
    "INVALID_APP",
    "APP_NOT_ALLOWED",
    "INVALID_PATH",
    "NOT_FOUND",
    "VERSION_GONE",
    "NOT_TEXT",
    "CORRUPT",
    "STORE_UNAVAILABLE",
  ],
  async run(args, { store, policy }, { budget, signal }) {
    const app = parseApp(args.app, policy);
    const window = windowOf(args);
    const content = await store.open(app, parsePath(args.path), args.version, { signal });
    const { path, version, mime, size, sha256: hash } = content.record;
    const about = { app, path, version, mime, size, sha256: hash };
    const room = budget - jsonBytes(about) - openFieldsBytes;
    checkOffset(window, size);

    if (content.facts.isText && args.as !== "base64") {
      return { ...about, ...(await readTextWindow(content, window, room)) };
    }
    if (args.as === "text" || window.kind === "lines") throw new AppFilesError("NOT_TEXT", { path, mime });

    const isWhole = args.offset === undefined && args.length === undefined;
    if (args.as === "auto" && isWhole && mayBeShown(mime, size)) {
      const bytes = await readAll(content);
      if (isShownImage(mime, bytes)) {
        const note = "The image is shown beside this data; as: base64 gives its bytes.";
        return new Answer(
          { ...about, offset: 0, next_offset: null, note },
          { images: [{ mimeType: mime, data: bytes }] },
        );
      }
    }
    // Three bytes are four characters; whole groups, so that windows can be joined as text too.
    const length = Math.min(window.length, Math.floor(room / 4) * 3);
    const bytes = await readVerified(content, window.offset, length);
    const end = window.offset + bytes.length;
    return {
      ...about,
      data_base64: Buffer.from(bytes).toString("base64"),
      offset: window.offset,
      next_offset: end < size ? end : null,
    };
  },
});

/** The window as text that takes `room` bytes of JSON at most. */
async function readTextWindow(content: StoredContent, window: ReadWindow, room: number) {
  const { size } = content.facts;
  const length = Math.min(window.length, room);
  const found =
    window.kind === "lines"
      ? await readLines(content, window.first, window.last, length)
      : await readTextAt(content, window.offset, length);
  const text = cutText(found.text, room);
  const end = found.offset + Buffer.byteLength(text);
  const isWhole = found.complete && (window.kind === "bytes" || text.length === found.text.length);
  return {
    text,
    offset: found.offset,
    next_offset: end < size ? end : null,
    total_lines: lineCount(content.facts),
    ...(!isWhole && { note: `Not all of these lines fit; go on with offset ${end} in place of start_line.` }),
  };
}
