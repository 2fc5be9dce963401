import { type EntryDetail, type EntryType, kindOf, modeText, type TypedKind } from "./entry-type.ts";
import type { RawName } from "./raw-name.ts";
import type { Attributes, RawEntry } from "./remote-files.ts";

/** One entry of a directory, described and not followed. What the target leaves out is null. */
export interface Entry {
  readonly name: RawName;
  readonly type: EntryType;
  readonly detail?: EntryDetail;
  /** Bytes. */
  readonly size: number | null;
  /** Octal text of the permission bits. */
  readonly mode: string | null;
  /** Seconds since 1970, by the target's clock. */
  readonly mtime: number | null;
  readonly uid: number | null;
  readonly gid: number | null;
}

/** The entry that a target sent; undefined where neither its attributes nor its line tell the type. */
export function entryOf(sent: RawEntry, directory: string): Entry | undefined {
  const kind = kindOf(sent.attributes.mode, sent.longName, directory);
  return kind && describe(sent.name, kind, sent.attributes);
}

/** The entry that LSTAT described; `other` where even that does not tell the type. */
export function statedEntry(name: RawName, attributes: Attributes, directory: string): Entry {
  return describe(name, kindOf(attributes.mode, undefined, directory) ?? { type: "other" }, attributes);
}

function describe(
  name: RawName,
  { type, detail }: TypedKind,
  { size, mode, mtime, uid, gid }: Attributes,
): Entry {
  const entry: Entry = {
    name,
    type,
    size: size ?? null,
    mode: modeText(mode),
    mtime: mtime ?? null,
    uid: uid ?? null,
    gid: gid ?? null,
  };
  return detail === undefined ? entry : { ...entry, detail };
}
