import { Answer, type CallContext, cutText, dateTime, eot, jsonBytes } from "@mcp-file-servers/core";
import * as z from "zod";
import { parseApp } from "../domain/app-name.ts";
import { lineCount } from "../domain/content.ts";
import { formatDateTime } from "../domain/date-time.ts";
import { AppFilesError } from "../domain/errors.ts";
import { parsePath } from "../domain/file-path.ts";
import { fileUrl, linkUrl } from "../domain/file-url.ts";
import { isShownImage, mayBeShown } from "../domain/image.ts";
import { makeLink } from "../domain/link.ts";
import { readAll, readVerified } from "../domain/read-window.ts";
import type { StoredContent } from "../domain/store.ts";
import { readLines, readTextAt } from "../domain/text-window.ts";
import { checkOffset, type ReadWindow, windowOf } from "../domain/window.ts";
import { type Deps, defineTool, type Web } from "./define.ts";
import {
  appArgument,
  byteCount,
  count,
  ordinal,
  pathArgument,
  sha256,
  urlField,
  versionNumber,
} from "./schemas.ts";

const lineNumber = z.int().min(1).max(1_000_000_000_000);

/** Bytes of the answer's fields whose values are not known before the window is cut. */
const openFieldsBytes = 220;

const input = z.strictObject({
  app: appArgument,
  path: pathArgument,
  version: versionNumber.optional().describe("exactly this version"),
  offset: byteCount.optional().describe("first byte; in text moved back to the start of a character"),
  length: z
    .int()
    .min(1)
    .max(1024 ** 4)
    .optional()
    .describe("most bytes to give"),
  start_line: lineNumber.optional().describe("first line, from 1"),
  end_line: lineNumber.optional().describe("last line, included"),
  as: z
    .enum(["auto", "text", "base64"])
    .default("auto")
    .describe("auto: by what the file is; text: UTF-8 or refused; base64: any bytes"),
});

/** The same where links can be made. */
const inputWithLink = input.extend({
  link: z.boolean().optional().describe("a one-time link in place of the content"),
});

const fields = {
  app: z.string(),
  path: z.string(),
  version: ordinal,
  mime: z.string(),
  size: count.describe("bytes of the whole file"),
  sha256: sha256.describe("of the whole file, lower-case hex"),
  text: z.string().optional().describe("the window of a text file"),
  data_base64: z.string().optional().describe("the window of any other file"),
  offset: count.describe("byte at which the window begins"),
  next_offset: count.nullable().describe("pass as offset to go on; null at the end of the file"),
  total_lines: count.optional().describe("lines of the whole text"),
  note: z.string().optional(),
};

/** A window of a file's content. */
export const fileRead = defineTool({
  name: "file_read",
  title: "Read an app file",
  description:
    "Read one file of an app, whole or in part: text if it is UTF-8, an image block for images up to 1 MB, else data_base64. " +
    "An answer holds what fits: pass next_offset as offset until it is null, with version so that all parts are of one version. " +
    "start_line and end_line read lines of text in place of bytes; do not mix the two. " +
    "version reads an older one that file_history lists, of a deleted file too. " +
    "Damaged bytes are never given: CORRUPT.",
  effect: "read",
  input,
  output: z.object({ ...fields, eot }),
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
  run: read,
});

/** The same over HTTP. */
export const fileReadOverHttp = defineTool({
  ...fileRead,
  output: z.object({ ...fields, url: urlField, eot }),
});

/** The same over HTTP, where something can be kept for as long as a link is there. */
export const fileReadWithLinks = defineTool({
  ...fileRead,
  description: `${fileRead.description} link: true gives a URL that a browser may open once, within 10 minutes.`,
  input: inputWithLink,
  output: z.object({
    ...fields,
    url: urlField,
    link: z.string().optional().describe("downloads this version once, without a token"),
    link_expires_at: dateTime().optional(),
    eot,
  }),
  run: read,
});

async function read(args: z.output<typeof inputWithLink>, deps: Deps, { budget, signal }: CallContext) {
  const { store, policy, web } = deps;
  const app = parseApp(args.app, policy);
  const window = windowOf(args);
  const content = await store.open(app, parsePath(args.path), args.version, { signal });
  const { path, version, mime, size, sha256: hash } = content.record;
  const url = web && { url: fileUrl(web.origin, app, path, args.version) };
  const about = { app, path, version, mime, size, sha256: hash, ...url };
  const room = budget - jsonBytes(about) - openFieldsBytes;
  checkOffset(window, size);
  if (args.link === true && web !== undefined) {
    refuseWindow(args);
    return { ...about, ...(await linkTo({ app, path, version }, web, deps, signal)) };
  }

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
}

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

/** @throws AppFilesError INVALID_ARGUMENT: a link is to the whole. */
function refuseWindow(args: z.output<typeof input>): void {
  const given = (["offset", "length", "start_line", "end_line"] as const).find(
    (name) => args[name] !== undefined,
  );
  if (given === undefined) return;
  throw new AppFilesError("INVALID_ARGUMENT", {
    argument: given,
    problem: "cannot be used together with link, which is to the whole file",
    next: `Call again without ${given}, or without link to read here.`,
  });
}

/** A link in place of a window. */
async function linkTo(
  file: { readonly app: string; readonly path: string; readonly version: number },
  { origin, caller }: Web,
  { store, newSecret, now }: Deps,
  signal: AbortSignal,
) {
  const making = { links: store.links, newSecret, now };
  const { secret, expiresAt } = await makeLink({ ...file, by: caller }, making, { signal });
  return {
    offset: 0,
    next_offset: null,
    link: linkUrl(origin, secret),
    link_expires_at: formatDateTime(expiresAt),
  };
}
