import { AppFilesError } from "./errors.ts";

/** Longest segment and longest path, in UTF-8 bytes: what common file systems take. */
const segmentBytes = 255;
const pathBytes = 1_024;

/**
 * The path of a file as it is stored: relative, `/` between segments, in NFC.
 *
 * @param argument The argument that gave it, for the message.
 * @throws AppFilesError INVALID_PATH with the reason.
 */
export function parsePath(text: string, argument = "path"): string {
  const path = text.normalize("NFC");
  const problem = problemOf(path);
  if (problem !== undefined) throw new AppFilesError("INVALID_PATH", { argument, path: text, problem });
  return path;
}

function problemOf(path: string): string | undefined {
  if (path === "") return "is empty";
  if (!path.isWellFormed()) return "is not valid Unicode";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(path))
    return "has a control character or line break in it";
  if (path.includes("\\")) return "has a backslash in it; folders are separated by /";
  if (path.startsWith("/")) return "begins with a slash; paths are relative to the app";
  if (path.endsWith("/")) return "ends with a slash, so it names a folder";
  if (Buffer.byteLength(path) > pathBytes) return `is longer than ${pathBytes} bytes`;
  for (const segment of path.split("/")) {
    if (segment === "") return "has two slashes in a row";
    if (segment === "." || segment === "..") return `has a ${segment} segment`;
    if (/[ .]$/.test(segment))
      return `has a segment that ends with a ${segment.endsWith(" ") ? "space" : "dot"}`;
    if (Buffer.byteLength(segment) > segmentBytes) return `has a segment longer than ${segmentBytes} bytes`;
  }
  return undefined;
}

/** The form in which paths are the same on file systems that ignore case. */
export function foldPath(path: string): string {
  return path.normalize("NFC").toLowerCase().normalize("NFC");
}

/** The folders that a path lies in, outermost first, without a trailing slash. */
export function foldersOf(path: string): string[] {
  const segments = path.split("/");
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join("/"));
}

/** Order of paths: by code point, which is the order of their UTF-8 bytes. */
export function comparePaths(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    // UTF-16 puts surrogates before U+E000; code points put what they stand for after U+FFFF.
    const surrogateX = x >= 0xd800 && x <= 0xdfff;
    const surrogateY = y >= 0xd800 && y <= 0xdfff;
    if (surrogateX !== surrogateY) return surrogateX ? 1 : -1;
    return x - y;
  }
  return a.length - b.length;
}

/** The least text, in the order of paths, that is after everything that starts with `prefix`; undefined for none. */
export function prefixEnd(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    if (last === 0x10ffff) continue;
    const next = last >= 0xd7ff && last < 0xe000 ? 0xe000 : last + 1;
    return String.fromCodePoint(...points, next);
  }
  return undefined;
}
