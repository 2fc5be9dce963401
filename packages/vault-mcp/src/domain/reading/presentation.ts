import { isUtf8 } from "node:buffer";
import type { VaultFile } from "../vault-reader.ts";

/** How a file's content is shown: as text, as an image, or not at all, with a link to it. */
export type Presentation = "text" | "image" | "link";

/** Images beyond this size are linked, bytes. */
export const largestImage = 1_000_000;

/** What clients take as images, each with the bytes it begins with; `RIFF` is checked for `WEBP` in it. */
const imageSignatures: Readonly<Record<string, readonly number[]>> = {
  "image/png": [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  "image/jpeg": [0xff, 0xd8, 0xff],
  "image/gif": [0x47, 0x49, 0x46, 0x38],
  "image/webp": [0x52, 0x49, 0x46, 0x46],
};

const textTypes = [
  "application/json",
  "application/toml",
  "application/xml",
  "application/yaml",
  "image/svg+xml",
];

function isTextType(mimeType: string): boolean {
  return mimeType.startsWith("text/") || textTypes.includes(mimeType);
}

export function isImageType(mimeType: string): boolean {
  return Object.hasOwn(imageSignatures, mimeType);
}

/** By a file's type and its bytes: what only pretends to be an image or a text is linked. */
export function presentationOf({ kind, mimeType, bytes }: VaultFile): Presentation {
  if (kind === "note") return "text";
  if (bytes === undefined) return "link";
  const signature = imageSignatures[mimeType];
  if (signature !== undefined) {
    const isOne = bytes.length <= largestImage && signature.every((byte, index) => bytes[index] === byte);
    return isOne ? "image" : "link";
  }
  return isTextType(mimeType) && (isUtf8(bytes) || !bytes.includes(0)) ? "text" : "link";
}
