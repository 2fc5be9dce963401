/** Larger images are given as bytes. */
export const imageBytes = 1024 * 1024;

const signatures: Readonly<Record<string, (bytes: Uint8Array) => boolean>> = {
  "image/png": (bytes) => startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  "image/jpeg": (bytes) => startsWith(bytes, [0xff, 0xd8, 0xff]),
  "image/gif": (bytes) => startsWith(bytes, [0x47, 0x49, 0x46, 0x38]),
  "image/webp": (bytes) =>
    startsWith(bytes, [0x52, 0x49, 0x46, 0x46]) && startsWith(bytes.subarray(8), [0x57, 0x45, 0x42, 0x50]),
};

/** Whether a file of this type may be an image that clients show; its bytes must say so too. */
export function mayBeShown(mime: string, size: number): boolean {
  return size <= imageBytes && Object.hasOwn(signatures, mime);
}

/** Whether the bytes are what the type says: clients fail on an image that is none. */
export function isShownImage(mime: string, bytes: Uint8Array): boolean {
  return mayBeShown(mime, bytes.length) && signatures[mime]?.(bytes) === true;
}

function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}
