import { createHash } from "node:crypto";
import { readFacts } from "../adapters/zip/entry-comment.ts";
import type { ZipEntry } from "../adapters/zip/read-zip.ts";
import { AppFilesError } from "../domain/errors.ts";
import { foldersOf, foldPath, parsePath } from "../domain/file-path.ts";
import type { Limits } from "../domain/limits.ts";
import { parseMime } from "../domain/mime.ts";
import type { FileStore } from "../domain/store.ts";

/** A file of a zip with the place that it gets. */
export interface PlannedFile {
  readonly entry: ZipEntry;
  readonly path: string;
  readonly mime: string | undefined;
}

export interface ImportPlan {
  readonly files: readonly PlannedFile[];
  /** Why nothing can be imported, a line for each entry. */
  readonly problems: readonly string[];
}

/** Decides where the entries of a zip go, without looking into the store. */
export function planImport(entries: readonly ZipEntry[], limits: Limits): ImportPlan {
  const files: PlannedFile[] = [];
  const problems: string[] = [];
  const taken = new Map<string, string>();
  for (const entry of entries) {
    const planned = place(entry, limits);
    if (typeof planned === "string") problems.push(`${JSON.stringify(entry.name)} ${planned}`);
    else {
      const folded = foldPath(planned.path);
      const other = taken.get(folded);
      if (other !== undefined) problems.push(`${JSON.stringify(entry.name)} is there twice, or as ${other}`);
      taken.set(folded, JSON.stringify(entry.name));
      files.push(planned);
    }
  }
  for (const { path, entry } of files) {
    const file = foldersOf(foldPath(path)).find((folder) => taken.has(folder));
    if (file !== undefined)
      problems.push(`${JSON.stringify(entry.name)} lies in ${taken.get(file)}, which is a file`);
  }
  const bytes = files.reduce((sum, { entry }) => sum + entry.size, 0);
  if (bytes > limits.app_bytes) problems.push(`in all ${bytes} bytes, app_bytes allows ${limits.app_bytes}`);
  if (files.length > limits.app_files) {
    problems.push(`in all ${files.length} files, app_files allows ${limits.app_files}`);
  }
  return { files, problems };
}

/** The place of an entry, or what is wrong with it. */
function place(entry: ZipEntry, limits: Limits): PlannedFile | string {
  if (entry.problem !== undefined) return entry.problem;
  if (entry.size > limits.file_bytes)
    return `has ${entry.size} bytes, file_bytes allows ${limits.file_bytes}`;
  const facts = readFacts(entry);
  try {
    return { entry, path: parsePath(facts.path), mime: mimeOf(facts.mime) };
  } catch (error) {
    if (error instanceof AppFilesError && "problem" in error.details) return String(error.details.problem);
    throw error;
  }
}

/** A type that none can be says nothing; the file's own is detected then. */
function mimeOf(mime: string | undefined): string | undefined {
  try {
    return mime && parseMime(mime);
  } catch {
    return undefined;
  }
}

/** What is in the store where a file is to go: nothing, the same bytes, or others. */
export async function compareStored(
  { path, entry }: PlannedFile,
  { store, app, signal }: { readonly store: FileStore; readonly app: string; readonly signal: AbortSignal },
): Promise<"none" | "same" | "other"> {
  const current = await store.find(app, path, { signal });
  if (current === undefined) return "none";
  if (current.size !== entry.size) return "other";
  const hash = createHash("sha256");
  for await (const piece of entry.read()) {
    signal.throwIfAborted();
    hash.update(piece);
  }
  return hash.digest("hex") === current.sha256 ? "same" : "other";
}
