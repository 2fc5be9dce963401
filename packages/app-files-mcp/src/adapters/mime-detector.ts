import { lookup } from "mrmime";
import type { MimeDetector } from "../domain/mime.ts";

/** Detects types with file-type (loaded on first use) and mrmime. */
export function createMimeDetector(): MimeDetector {
  return {
    async fromBytes(bytes) {
      const { fileTypeFromBuffer } = await import("file-type");
      try {
        return (await fileTypeFromBuffer(bytes))?.mime;
      } catch {
        // A file that begins like a known format and breaks off tells nothing.
        return undefined;
      }
    },
    fromName: (path) => lookup(path.slice(path.lastIndexOf("/") + 1)),
  };
}
