import { AppFilesError } from "./errors.ts";

/** Finds out what a file is. */
export interface MimeDetector {
  /** From the first bytes; undefined when they tell nothing. */
  fromBytes(bytes: Uint8Array): Promise<string | undefined>;
  /** From the extension. */
  fromName(path: string): string | undefined;
}

export const unknownMime = "application/octet-stream";

/** Restricted names of RFC 6838, 4.2: what a type and a subtype may look like. */
const restrictedName = "[a-z0-9][a-z0-9!#$&^_.+-]{0,126}";
const exact = new RegExp(`^${restrictedName}/${restrictedName}$`);
const wildcard = new RegExp(`^${restrictedName}/\\*$`);

/**
 * A media type as it is stored: type/subtype in lower case, without parameters.
 *
 * @throws AppFilesError INVALID_ARGUMENT
 */
export function parseMime(text: string): string {
  const mime = text.toLowerCase();
  if (exact.test(mime)) return mime;
  throw new AppFilesError("INVALID_ARGUMENT", {
    argument: "mime",
    problem: `must be a media type without parameters, such as text/csv, not ${quoted(text)}`,
    next: "Call again with mime as type/subtype, or without mime to have it detected.",
  });
}

/**
 * A filter: `image/png`, or `image/*` as the prefix `image/`.
 *
 * @throws AppFilesError INVALID_ARGUMENT
 */
export function parseMimeFilter(text: string): { readonly exact: string } | { readonly prefix: string } {
  const mime = text.toLowerCase();
  if (exact.test(mime)) return { exact: mime };
  if (wildcard.test(mime)) return { prefix: mime.slice(0, -1) };
  throw new AppFilesError("INVALID_ARGUMENT", {
    argument: "mime",
    problem: `must be a media type such as image/png, or a class such as image/*, not ${quoted(text)}`,
    next: "Call again with mime as type/subtype or type/*.",
  });
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}

/** Formats that are written in text; in other text a short signature such as "BM" is a chance hit. */
const textFormats = /^(text\/.*|.*\+xml|application\/(xml|rtf|pdf|postscript|eps|json))$/;

/**
 * What a file is when its caller does not say: by its bytes, else by its extension. XML is told apart by the
 * extension, where that knows better.
 */
export async function detectMime(
  detector: MimeDetector,
  path: string,
  bytes: Uint8Array,
  isText: boolean,
): Promise<string> {
  const byName = detector.fromName(path);
  const detected = bytes.length === 0 ? undefined : await detector.fromBytes(bytes);
  const byBytes = detected !== undefined && (!isText || textFormats.test(detected)) ? detected : undefined;
  if (byBytes === "application/xml" && byName?.endsWith("+xml")) return byName;
  return byBytes ?? byName ?? unknownMime;
}
