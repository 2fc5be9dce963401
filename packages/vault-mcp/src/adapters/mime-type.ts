import { lookup } from "mrmime";
import { extensionOf } from "../domain/visibility.ts";

/** What the library does not know, or takes for something else than it is in a vault. Source: IANA media types. */
const own: Readonly<Record<string, string>> = {
  base: "text/yaml",
  canvas: "application/json",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  excalidraw: "application/json",
  odp: "application/vnd.oasis.opendocument.presentation",
  ods: "application/vnd.oasis.opendocument.spreadsheet",
  odt: "application/vnd.oasis.opendocument.text",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  tar: "application/x-tar",
  ts: "text/x-typescript",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

/** The media type of a file by its extension; `application/octet-stream` where it tells none. */
export function mimeTypeOf(path: string): string {
  const extension = extensionOf(path).toLowerCase();
  return own[extension] ?? lookup(extension) ?? "application/octet-stream";
}
