import { formatDateTime } from "../domain/date-time.ts";
import { AppFilesError } from "../domain/errors.ts";
import { checkLimit, type Limits } from "../domain/limits.ts";
import { type MimeDetector, parseMime } from "../domain/mime.ts";
import type { FileStore } from "../domain/store.ts";
import { writeStagedFile } from "../domain/write-staged-file.ts";
import { etagOf, names } from "./conditions.ts";
import { mismatch } from "./read-route.ts";
import { RouteFailure } from "./route-failure.ts";

export interface Place {
  readonly app: string;
  readonly path: string;
}

export interface Writing {
  readonly store: FileStore;
  readonly detector: MimeDetector;
  readonly limits: Limits;
  /** Who writes, for the history. */
  readonly client: string;
}

/** The version that the conditions of a request stand for; undefined where there are none. Source: RFC 9110, 13.1. */
async function expectedVersion(
  { headers }: Request,
  { app, path }: Place,
  store: FileStore,
): Promise<number | undefined> {
  const match = headers.get("if-match");
  const noneMatch = headers.get("if-none-match");
  if (match === null && noneMatch === null) return undefined;
  const current = await store.find(app, path);
  const etag = current && { etag: etagOf(current) };
  if (match !== null && !names(match, current)) throw mismatch(etag);
  if (noneMatch !== null && names(noneMatch, current)) throw mismatch(etag);
  return current?.version ?? 0;
}

/** `PUT`: the body becomes the file, whole or not at all. */
export async function writeRoute(request: Request, place: Place, writing: Writing): Promise<Response> {
  const { store, detector, limits, client } = writing;
  const announced = request.headers.get("content-length");
  if (announced !== null) checkLimit(limits, "file_bytes", Number(announced));
  const version = await expectedVersion(request, place, store);
  const mime = mimeOf(request.headers.get("content-type"));
  const receipt = await writeStagedFile(
    { ...place, mime, expectedVersion: version, client },
    bodyOf(request, announced === null ? undefined : Number(announced), limits),
    { store, detector },
  );
  const { createdAt, updatedAt, filesVersion, ...rest } = receipt;
  const times = { created_at: formatDateTime(createdAt), updated_at: formatDateTime(updatedAt) };
  return Response.json(
    { ...rest, ...times, files_version: filesVersion },
    // Created at this moment, also when there was such a file once.
    { status: createdAt === updatedAt ? 201 : 200, headers: { etag: etagOf(receipt) } },
  );
}

/** `DELETE`: the file is gone and can be restored. */
export async function deleteRoute(
  request: Request,
  place: Place,
  { store, client }: Writing,
): Promise<Response> {
  await store.remove({ ...place, expectedVersion: await expectedVersion(request, place, store), client });
  return new Response(null, { status: 204 });
}

/** @throws RouteFailure when it breaks off, AppFilesError LIMIT_EXCEEDED as soon as it is too long. */
async function* bodyOf(
  { body }: Request,
  announced: number | undefined,
  limits: Limits,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const piece of body ?? []) {
      size += piece.length;
      checkLimit(limits, "file_bytes", size);
      yield piece;
    }
  } catch (error) {
    if (error instanceof AppFilesError) throw error;
    throw brokenOff(error);
  }
  if (announced !== undefined && size !== announced) throw brokenOff();
}

function brokenOff(cause?: unknown): RouteFailure {
  const failure = new RouteFailure(
    400,
    "BODY_INCOMPLETE",
    "the body broke off; nothing was stored",
    "Send it again.",
  );
  failure.cause = cause;
  return failure;
}

/** Types that tools send when they know none. */
const saysNothing = new Set(["application/octet-stream", "application/x-www-form-urlencoded"]);

function mimeOf(header: string | null): string | undefined {
  const type = header?.split(";")[0]?.trim().toLowerCase() ?? "";
  return type === "" || saysNothing.has(type) ? undefined : parseMime(type);
}
