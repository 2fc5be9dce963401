import type { ZipEntry } from "./read-zip.ts";

/** What a zip cannot say of a file is put into the entry's comment, as `app-files-mcp {"mime":…,"path":…}`. */
const mark = "app-files-mcp ";

export interface EntryFacts {
  readonly mime: string;
  readonly path: string;
}

/** The name and comment of a file's entry. A zip takes `C:…` for a drive. */
export function nameEntry({ mime, path }: EntryFacts): { readonly name: string; readonly comment: string } {
  const name = path.replace(/^([a-zA-Z]):/, "$1%3A");
  return { name, comment: mark + JSON.stringify(name === path ? { mime } : { mime, path }) };
}

/** What an entry of any zip says of its file; whatever it says is not checked yet. */
export function readFacts({ name, comment }: Pick<ZipEntry, "name" | "comment">): {
  readonly path: string;
  readonly mime?: string;
} {
  if (!comment.startsWith(mark)) return { path: name };
  try {
    const said: unknown = JSON.parse(comment.slice(mark.length));
    if (typeof said !== "object" || said === null) return { path: name };
    const { mime, path } = said as Partial<Record<string, unknown>>;
    // No other path than the one whose name this is, so that what a zip shows is what it stores.
    const isNamed = typeof path === "string" && nameEntry({ mime: "", path }).name === name;
    return { path: isNamed ? path : name, ...(typeof mime === "string" && { mime }) };
  } catch {
    return { path: name };
  }
}
