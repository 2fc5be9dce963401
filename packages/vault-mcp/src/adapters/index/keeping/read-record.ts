import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { join } from "node:path";
import { etagOf } from "../../../domain/etag.ts";
import { canvasLinks } from "../../../domain/links/canvas-links.ts";
import type { Link } from "../../../domain/links/link.ts";
import { parseMoment } from "../../../domain/moment.ts";
import { decodeText } from "../../../domain/note/decode.ts";
import type { ParseYaml } from "../../../domain/note/frontmatter.ts";
import { readIndexedNote } from "../../../domain/note/indexed-note.ts";
import { extensionOf, type FileKind } from "../../../domain/visibility.ts";
import { isMissing, reasonOf } from "../../file-errors.ts";
import { mimeTypeOf } from "../../mime-type.ts";
import type { FileRecord } from "../file-record.ts";
import { stampOf } from "./file-stamp.ts";

/** Notes beyond this size are listed, not read, bytes. */
export const largestNote = 50_000_000;

const largestCanvas = 10_000_000;

/** A file that is to be read: where it was found, and as which file. */
export interface FoundFile {
  readonly path: string;
  readonly kind: FileKind;
  readonly inode: number;
  readonly device: number;
}

/** What the index knows of a path already. */
export interface KnownFile {
  readonly firstSeen: number;
  readonly modified: number;
  readonly size: number;
  readonly etag: string | undefined;
}

export interface ReadSetting {
  /** The real path of the vault's folder. */
  readonly root: string;
  readonly parseYaml: ParseYaml;
  now(): Date;
}

/** A file's record; only its new stamp where its content and times are those that are known; undefined when it is gone. */
export type RecordRead = FileRecord | { readonly path: string; readonly stamp: string } | undefined;

/**
 * Reads a file for the index. One that cannot be read comes with a parse error, and whatever is wrong with it concerns
 * it alone.
 */
export function readRecord(found: FoundFile, known: KnownFile | undefined, setting: ReadSetting): RecordRead {
  const { path, kind, inode, device } = found;
  const absolute = join(setting.root, path);
  let stat: Stats;
  try {
    stat = lstatSync(absolute);
    if (!stat.isFile()) return undefined;
    // A file that was saved anew is another one; behind a link in a folder's place there would be another, too.
    if ((stat.ino !== inode || stat.dev !== device) && realpathSync(absolute) !== absolute) return undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    return unreadable(found, `cannot be read: ${reasonOf(error)}`);
  }
  const times = [known?.firstSeen, stat.mtimeMs, stat.birthtimeMs].filter(
    (one) => one !== undefined && one > 0,
  );
  const firstSeen = Math.min(...(times as number[]));
  const stamp = stampOf(stat, setting.now());
  const file = {
    path,
    kind,
    stamp,
    modified: stat.mtimeMs,
    created: firstSeen,
    firstSeen,
    size: stat.size,
    ...nothing,
  };
  if (kind === "attachment") {
    return { ...file, facts: { mimeType: mimeTypeOf(path) }, links: linksOfCanvas(absolute, path, stat) };
  }
  const bytes = readBytes(absolute, stat, largestNote);
  if (typeof bytes === "string") return { ...file, facts: broken(path, bytes) };
  const etag = etagOf(bytes);
  if (known?.etag === etag && known.modified === stat.mtimeMs && known.size === stat.size)
    return { path, stamp };
  try {
    const { facts, ...rest } = readIndexedNote(path, decodeText(bytes), setting.parseYaml);
    const { created } = facts.frontmatter;
    const moment = typeof created === "string" ? parseMoment(created) : undefined;
    const { parseError, ...others } = facts;
    const kept = { ...others, etag, ...(parseError !== undefined && { parseError }) };
    return { ...file, ...rest, facts: kept, created: moment?.at ?? firstSeen };
  } catch (error) {
    return { ...file, facts: { ...broken(path, `cannot be understood: ${String(error)}`), etag } };
  }
}

const nothing = { aliases: [], headings: [], blocks: [], links: [], body: "" } as const;

function unreadable({ path, kind }: FoundFile, why: string): FileRecord {
  const facts = kind === "note" ? broken(path, why) : { mimeType: mimeTypeOf(path) };
  return { path, kind, stamp: "", modified: 0, created: 0, firstSeen: 0, size: 0, ...nothing, facts };
}

function broken(path: string, message: string) {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
  return { title: name, frontmatter: {}, tags: [], contentChars: 0, parseError: { line: 1, message } };
}

function linksOfCanvas(absolute: string, path: string, stat: Stats): readonly Link[] {
  if (extensionOf(path).toLowerCase() !== "canvas") return [];
  const bytes = readBytes(absolute, stat, largestCanvas);
  if (typeof bytes === "string") return [];
  try {
    return canvasLinks(decodeText(bytes).text).links;
  } catch {
    // A canvas that is none has no links; it is listed all the same.
    return [];
  }
}

/** The content, or in words why it cannot be read. */
function readBytes(absolute: string, found: Stats, most: number): Buffer | string {
  if (found.size > most) return `is larger than ${most} bytes`;
  let file: number | undefined;
  try {
    file = openSync(absolute, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stat = fstatSync(file);
    if (stat.ino !== found.ino || stat.dev !== found.dev) return "was replaced while it was read";
    return readFileSync(file);
  } catch (error) {
    return `cannot be read: ${reasonOf(error)}`;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
