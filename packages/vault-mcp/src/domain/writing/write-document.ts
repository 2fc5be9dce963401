import { VaultError } from "../errors.ts";
import { etagOf } from "../etag.ts";
import type { JsonObject } from "../json.ts";
import { decodeText } from "../note/decode.ts";
import { findFrontmatter } from "../note/frontmatter.ts";
import { largestText } from "../reading/open-document.ts";
import type { VaultFile } from "../vault-reader.ts";
import { outcomeNotes } from "./change-text.ts";
import { checkWholeEtag } from "./check-etag.ts";
import { decodeBase64 } from "./decode-base64.ts";
import { guardFrontmatter } from "./guard-frontmatter.ts";
import { noteText } from "./new-note-text.ts";
import type { Outcome } from "./note-files.ts";
import { parseWritePath } from "./write-path.ts";
import { refreshIndex, type WritingDeps } from "./writing-deps.ts";

export interface WriteRequest {
  /** As the caller wrote it. */
  readonly path: string;
  readonly content: string | undefined;
  readonly dataBase64: string | undefined;
  readonly frontmatter: JsonObject | undefined;
  readonly ifMatch: string | undefined;
}

export interface WrittenDocument {
  /** As it is on the disk. */
  readonly path: string;
  readonly created: boolean;
  /** Of the whole content, which the caller knows. */
  readonly etag: string;
  readonly sizeBytes: number;
  /** The version under which the replaced content is kept. */
  readonly replacedVersion: string | undefined;
  readonly notes: readonly string[];
}

/**
 * Writes a whole document: a new one, or in the place of one that the caller has read as a whole.
 *
 * @throws VaultError INVALID_ARGUMENT, ETAG_REQUIRED, ETAG_MISMATCH, READ_INCOMPLETE, FRONTMATTER_BROKEN, NOT_FOUND
 *   where there is an etag and no document, and what finding, making and replacing files throws.
 */
export async function writeDocument(
  deps: WritingDeps,
  request: WriteRequest,
  signal: AbortSignal,
): Promise<WrittenDocument> {
  const { path: given, ifMatch } = request;
  const path = parseWritePath("path", given, deps.place);
  const bytes = await contentOf(deps, path, request);
  const written = await deps.files.exclusively(signal, async () => {
    const file = await deps.reader.read(path, given, largestText);
    signal.throwIfAborted();
    if (file === undefined) {
      if (ifMatch !== undefined) throw new VaultError("NOT_FOUND", { path: given, nearest: [] });
      await guardNew(deps, path, given, bytes);
      const made = await deps.files.create(path, given, bytes);
      return { ...made, created: true, outcome: undefined, notes: [] };
    }
    return {
      created: false,
      scope: file.path,
      ...(await replaceDocument(deps, given, file, bytes, ifMatch)),
    };
  });
  const { path: place, scope, created, outcome, notes } = written;
  const late = await refreshIndex(deps, [scope], signal);
  return {
    path: place,
    created,
    etag: etagOf(bytes),
    sizeBytes: bytes.length,
    replacedVersion: outcome?.kept,
    notes: [...notes, ...outcomeNotes(outcome), ...late],
  };
}

interface Replaced {
  readonly path: string;
  readonly outcome: Outcome | undefined;
  readonly notes: readonly string[];
}

async function replaceDocument(
  deps: WritingDeps,
  given: string,
  file: VaultFile,
  bytes: Buffer,
  ifMatch: string | undefined,
): Promise<Replaced> {
  const { path, bytes: old } = file;
  if (old === undefined) {
    throw new VaultError("TOO_LARGE", { path: given, bytes: file.sizeBytes, limitBytes: largestText });
  }
  checkWholeEtag(given, old, ifMatch);
  if (old.equals(bytes)) return { path, outcome: undefined, notes: [] };
  const notes: string[] = [];
  if (file.kind === "note") {
    const [before, after] = [decodeText(old).text, bytes.toString("utf8")];
    const { yaml } = await deps.loadEditingTools();
    guardFrontmatter(given, before, after, yaml.parse);
    if (findFrontmatter(before) !== undefined && findFrontmatter(after) === undefined) {
      notes.push("The note had frontmatter before and has none now.");
    }
  }
  const outcome = await deps.files.replace({ ...file, bytes: old }, given, bytes);
  return { path, outcome, notes };
}

async function guardNew(deps: WritingDeps, path: string, given: string, bytes: Buffer): Promise<void> {
  if (deps.visibility.kindOf(path) !== "note") return;
  const { yaml } = await deps.loadEditingTools();
  guardFrontmatter(given, undefined, bytes.toString("utf8"), yaml.parse);
}

/** The bytes that the request means. */
async function contentOf(deps: WritingDeps, path: string, request: WriteRequest): Promise<Buffer> {
  const { content, dataBase64, frontmatter } = request;
  const refuse = (argument: string, problem: string, next: string): never => {
    throw new VaultError("INVALID_ARGUMENT", { argument, problem, next });
  };
  const isNote = deps.visibility.kindOf(path) === "note";
  if (content === undefined && dataBase64 === undefined) {
    return refuse(
      "content",
      "is missing, and so is data_base64",
      "Call again with content for text, or data_base64 for a binary attachment.",
    );
  }
  if (content !== undefined && dataBase64 !== undefined) {
    return refuse(
      "data_base64",
      "cannot be given together with content",
      "Call again with content or data_base64 alone.",
    );
  }
  if (frontmatter !== undefined && !isNote) {
    return refuse(
      "frontmatter",
      "is for notes alone, and this is an attachment",
      "Call again without frontmatter.",
    );
  }
  if (dataBase64 !== undefined) {
    if (isNote)
      return refuse("data_base64", "is for attachments, and this is a note", "Call again with content.");
    return decodeBase64("data_base64", dataBase64);
  }
  const { yaml } = await deps.loadEditingTools();
  return Buffer.from(noteText(request.path, content ?? "", frontmatter, yaml));
}
