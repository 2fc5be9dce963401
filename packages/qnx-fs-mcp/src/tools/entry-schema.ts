import { dateTime } from "@mcp-file-servers/core";
import * as z from "zod";
import type { Entry } from "../domain/entry.ts";
import { entryTypes } from "../domain/entry-type.ts";
import { type DisplayName, displayName } from "../domain/raw-name.ts";

/** A path on a target. QNX's own limit is 1,024 bytes. */
export const remotePath = z.string().max(1024);

/** The argument that names the target. */
export const targetArgument = z.string().describe("a name that target_list shows, such as tb");

/** The fields of one entry of a directory, as every tool shows them. */
export const entryFields = {
  name: z.string(),
  type: z.enum(entryTypes),
  detail: z.enum(["named", "shm"]).optional(),
  size: z.int().nullable(),
  mode: z.string().nullable(),
  mtime: dateTime().nullable(),
  uid: z.int().nullable(),
  gid: z.int().nullable(),
  link_target: z.string().nullable().optional(),
  name_lossy: z.literal(true).optional().describe("not UTF-8: it cannot be used"),
};

/** Seconds since 1970 as they are shown. */
export function showTime(seconds: number | null): string | null {
  return seconds === null ? null : new Date(seconds * 1000).toISOString();
}

/** An entry as it is shown. */
export function showEntry(entry: Entry, { text, lossy }: DisplayName = displayName(entry.name)) {
  const { type, detail, size, mode, mtime, uid, gid } = entry;
  return {
    name: text,
    type,
    ...(detail !== undefined && { detail }),
    size,
    mode,
    mtime: showTime(mtime),
    uid,
    gid,
    ...(lossy && { name_lossy: true as const }),
  };
}

/** A glob that narrows what is looked at. */
export function globArgument(what: string) {
  return z.string().min(1).max(1000).optional().describe(what);
}

/** Types of entries that alone are wanted. */
export function typesArgument(what: string) {
  return z.array(z.enum(entryTypes)).min(1).max(8).optional().describe(what);
}
