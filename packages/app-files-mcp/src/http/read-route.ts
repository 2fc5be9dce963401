import { readPieces } from "../domain/export-file.ts";
import type { FileRecord } from "../domain/file-record.ts";
import { readVerified } from "../domain/read-window.ts";
import type { FileStore, StoredContent } from "../domain/store.ts";
import { etagOf, names, readRange } from "./conditions.ts";
import { RouteFailure } from "./route-failure.ts";

/** Bytes that are read at once. */
const windowBytes = 256 * 1024;

/**
 * Headers under which a browser shows nothing of a file and runs nothing in it, whatever it is: files are what anybody
 * handed over.
 */
function headersOf(record: FileRecord): Record<string, string> {
  const name = record.path.slice(record.path.lastIndexOf("/") + 1);
  const plain = name.replace(/[^ -~]|["\\%]/g, "_");
  return {
    "accept-ranges": "bytes",
    "cache-control": "private, no-cache",
    "content-disposition": `attachment; filename="${plain}"; filename*=UTF-8''${encodeName(name)}`,
    "content-security-policy": "default-src 'none'; sandbox",
    "content-type": record.mime,
    "cross-origin-resource-policy": "same-origin",
    etag: etagOf(record),
    "last-modified": new Date(record.updatedAt).toUTCString(),
    "x-content-type-options": "nosniff",
    "x-file-version": String(record.version),
  };
}

/** As RFC 5987 wants it. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** `GET` and `HEAD` of a file. */
export async function readRoute(
  request: Request,
  { app, path }: { readonly app: string; readonly path: string },
  store: FileStore,
): Promise<Response> {
  const asked = new URL(request.url).searchParams.get("version");
  return respondContent(request, await store.open(app, path, asked === null ? undefined : versionOf(asked)));
}

/** The content or a range of it, verified; never a byte that is not what was stored. `more`: further headers. */
export async function respondContent(
  request: Request,
  content: StoredContent,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const { record } = content;
  const headers = { ...headersOf(record), ...more };
  const { headers: given } = request;
  const match = given.get("if-match");
  if (match !== null && !names(match, record)) throw mismatch(headers);
  const noneMatch = given.get("if-none-match");
  if (noneMatch !== null && names(noneMatch, record)) return new Response(null, { status: 304, headers });

  const ifRange = given.get("if-range");
  const range = readRange(
    ifRange === null || ifRange.trim() === etagOf(record) ? given.get("range") : null,
    record.size,
  );
  if (range === "beyond") {
    throw new RouteFailure(
      416,
      "RANGE_NOT_SATISFIABLE",
      `the file has ${record.size} bytes`,
      "Ask for a range within them.",
      { "content-range": `bytes */${record.size}` },
    );
  }
  const { start, end } = range === "whole" ? { start: 0, end: record.size } : range;
  const partial = range !== "whole";
  const own = {
    ...headers,
    "content-length": String(end - start),
    ...(partial && { "content-range": `bytes ${start}-${end - 1}/${record.size}` }),
  };
  const status = partial ? 206 : 200;
  if (request.method === "HEAD") return new Response(null, { status, headers: own });
  return new Response(await streamOf(partial ? windowsOf(content, start, end) : readPieces(content)), {
    status,
    headers: own,
  });
}

async function* windowsOf(content: StoredContent, start: number, end: number): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end; at += windowBytes) {
    yield await readVerified(content, at, Math.min(windowBytes, end - at));
  }
}

/** A stream whose first piece is there: damage at the beginning is an answer, later it breaks the answer off. */
async function streamOf(pieces: AsyncGenerator<Uint8Array>): Promise<ReadableStream<Uint8Array>> {
  let ahead: IteratorResult<Uint8Array, void> | undefined = await pieces.next();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = ahead ?? (await pieces.next());
        ahead = undefined;
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

function versionOf(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new RouteFailure(
    400,
    "INVALID_ARGUMENT",
    `version: ${JSON.stringify(text.slice(0, 50))} is no version`,
    "Give a whole number from 1.",
  );
}

export function mismatch(headers: Record<string, string> = {}): RouteFailure {
  const { etag = "" } = headers;
  return new RouteFailure(
    412,
    "VERSION_CONFLICT",
    `the file is not what the request expects${etag === "" ? "; it does not exist" : `; it has ETag ${etag}`}`,
    "Read it again and decide anew.",
    etag === "" ? {} : { etag },
  );
}
