import { VaultError } from "../errors.ts";
import { etagOf, partialEtag } from "../etag.ts";
import { timeText } from "../listing/list-entry.ts";
import type { VaultFile } from "../vault-reader.ts";
import { type Library, largestText, openDocument } from "./open-document.ts";
import { isImageType, largestImage, presentationOf } from "./presentation.ts";
import { type PartOptions, readPart } from "./read-part.ts";
import type { ReadPosition, ReadRequest } from "./read-request.ts";

/** A document, or a part of one, as a reading shows it. */
export interface ReadDocument {
  readonly data: Record<string, unknown> & { readonly path: string };
  readonly notes: readonly string[];
  /** Its bytes, where it is shown as an image. */
  readonly image: { readonly mimeType: string; readonly data: Uint8Array } | undefined;
  /** Where it can be fetched, when its content is not shown. */
  readonly link: VaultFile | undefined;
  readonly next: ReadPosition | undefined;
}

/** One document of several: what was read, or why it was not. */
export type ReadResult =
  | { readonly document: ReadDocument }
  | { readonly given: string; readonly failure: VaultError };

export interface ReadingOptions extends PartOptions {
  readonly signal: AbortSignal;
}

/** What the names of a part's fields, its tag and its line numbers take, bytes. */
const ownFieldBytes = 220;

/** Images are no part of the room; once there are so many bytes of them, the rest comes on the next page. */
const mostImageBytes = 4_000_000;

/** A document of which less room than this is left begins on the next page. */
const leastRoom = 1_500;

/**
 * Reads the documents of a request, as many and as much as fit, each with a failure of its own.
 *
 * @throws VaultError INVALID_CURSOR when a document changed since its first part was read.
 */
export async function readDocuments(
  request: ReadRequest,
  library: Library,
  options: ReadingOptions,
): Promise<{ readonly results: readonly ReadResult[]; readonly next: ReadPosition | undefined }> {
  const results: ReadResult[] = [];
  let room = options.room;
  let imageBytes = 0;
  const first = request.from?.index ?? 0;
  for (let index = first; index < request.paths.length; index += 1) {
    if (index > first && (room < leastRoom || imageBytes >= mostImageBytes))
      return { results, next: { index, offset: 0, etag: "" } };
    options.signal.throwIfAborted();
    const from = index === first && request.from?.etag ? request.from : undefined;
    const result = await readOne(request, index, from, library, { ...options, room });
    results.push(result);
    const { next, image } = "document" in result ? result.document : { next: undefined, image: undefined };
    imageBytes += image?.data.length ?? 0;
    if (next !== undefined) return { results, next };
    room -= sizeOf(result);
  }
  return { results, next: undefined };
}

function sizeOf(result: ReadResult): number {
  const data = "document" in result ? [result.document.data, result.document.notes] : result.failure.details;
  return Buffer.byteLength(JSON.stringify(data)) + 300;
}

async function readOne(
  request: ReadRequest,
  index: number,
  from: ReadPosition | undefined,
  library: Library,
  options: ReadingOptions,
): Promise<ReadResult> {
  const given = request.paths[index] ?? "";
  try {
    const file = await openDocument(library, given, options.signal);
    return { document: showFile(file, given, request, index, from, options) };
  } catch (error) {
    if (!(error instanceof VaultError) || error.code === "INVALID_CURSOR") throw error;
    return { given, failure: error };
  }
}

function showFile(
  file: VaultFile,
  given: string,
  { target }: ReadRequest,
  index: number,
  from: ReadPosition | undefined,
  options: ReadingOptions,
): ReadDocument {
  const { path, kind, mimeType: mime_type, modifiedAt, sizeBytes: size_bytes, bytes } = file;
  const facts = { path, kind, mime_type, modified_at: timeText(modifiedAt), size_bytes };
  const presentation = presentationOf(file);
  if (presentation === "text") {
    if (bytes === undefined) {
      throw new VaultError("TOO_LARGE", { path: given, bytes: size_bytes, limitBytes: largestText });
    }
    const etag = etagOf(bytes);
    if (from !== undefined && from.etag !== etag) {
      throw new VaultError("INVALID_CURSOR", {
        reason: "the document has changed since its first part was read",
      });
    }
    const part = readPart({ ...file, bytes }, given, target, from?.offset, {
      ...options,
      room: options.room - Buffer.byteLength(JSON.stringify(facts)) - ownFieldBytes,
    });
    return {
      data: {
        ...facts,
        content: part.content,
        ...(part.frontmatter !== undefined && { frontmatter: part.frontmatter }),
        ...(part.parseError !== undefined && { parse_error: part.parseError }),
        etag: part.etag,
        ...(kind === "note" && part.outline !== undefined && { outline: part.outline }),
        start_line: part.startLine,
        end_line: part.endLine,
        total_lines: part.totalLines,
      },
      notes: part.notes,
      image: undefined,
      link: undefined,
      next: part.nextOffset === undefined ? undefined : { index, offset: part.nextOffset, etag },
    };
  }
  const image =
    presentation === "image" && bytes !== undefined ? { mimeType: mime_type, data: bytes } : undefined;
  const etag = bytes === undefined ? undefined : etagOf(bytes);
  return {
    data: { ...facts, ...(etag !== undefined && { etag: image === undefined ? partialEtag(etag) : etag }) },
    notes: image === undefined ? [linkNote(file)] : [],
    image,
    link: image === undefined ? file : undefined,
    next: undefined,
  };
}

function linkNote({ mimeType, sizeBytes }: VaultFile): string {
  if (!isImageType(mimeType)) return "The content is not shown; it can be fetched by the resource link.";
  const why = sizeBytes > largestImage ? `is larger than ${largestImage} bytes` : "is not what its name says";
  return `The image ${why} and is not shown; it can be fetched by the resource link.`;
}
