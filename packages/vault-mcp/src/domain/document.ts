import type { NoteFacts } from "./note/note.ts";

/** What the index knows of a file. Paths are as the disk spells them. */
interface FileFacts {
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
  readonly createdAt: number;
  readonly sizeBytes: number;
  /** The generation of the index in which the file came or last changed. */
  readonly changedIn: number;
}

export interface NoteDocument extends FileFacts, NoteFacts {
  readonly kind: "note";
  /** Of the whole content; undefined where it could not be read. */
  readonly etag: string | undefined;
}

export interface AttachmentDocument extends FileFacts {
  readonly kind: "attachment";
  readonly mimeType: string;
}

export type Document = NoteDocument | AttachmentDocument;

/** The folder of a path; empty for the root. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

export function titleOf(document: Document): string {
  return document.kind === "note" ? document.title : document.path.slice(document.path.lastIndexOf("/") + 1);
}

/** Whether a path lies in a folder or below it; of the root alone, for an empty one. */
export function isInFolder(path: string, folder: string): boolean {
  const name = folder.normalize("NFC");
  const own = folderOf(path).normalize("NFC");
  return own === name || (name !== "" && own.startsWith(`${name}/`));
}
