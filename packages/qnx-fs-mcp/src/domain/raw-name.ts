/**
 * A name or path as the bytes that a target sent, one character a byte: compact, comparable with `<` (which for
 * UTF-8 is the order of code points) and lossless, whatever the encoding.
 */
export type RawName = string & { readonly raw: unique symbol };

export function rawName(bytes: Uint8Array): RawName {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1") as RawName;
}

export function rawNameOf(text: string): RawName {
  return rawName(Buffer.from(text, "utf8"));
}

export interface DisplayName {
  readonly text: string;
  /** The bytes are not UTF-8, or cannot be a name: `text` shows them, but does not name the file. */
  readonly lossy: boolean;
}

/** How a raw name is shown. */
export function displayName(name: RawName): DisplayName {
  const { text, lossy } = displayPath(name);
  return { text, lossy: lossy || /[/\0]/.test(text) || text === "" };
}

/** How a raw path is shown. */
export function displayPath(path: RawName): DisplayName {
  const bytes = Buffer.from(path, "latin1");
  const text = bytes.toString("utf8");
  return { text, lossy: !Buffer.from(text, "utf8").equals(bytes) };
}
