import { mostNearest, nearest } from "../nearest.ts";
import { nameOf } from "../note/note.ts";
import type { FolderCounts } from "./count-folders.ts";

/** A sentence about a folder that is not there; undefined where it is. */
export function unknownFolder(folder: string, folders: readonly FolderCounts[]): string | undefined {
  const wanted = folder.normalize("NFC");
  const known = folders.map(({ path }) => path);
  if (known.some((path) => path.normalize("NFC") === wanted)) return undefined;
  const named = known.filter((path) => path !== "");
  const close = nearest(folder, named, mostNearest, nameOf).map((path) => JSON.stringify(path.slice(0, 200)));
  const name = JSON.stringify(folder.slice(0, 100).toWellFormed());
  return `There is no folder ${name}${close.length === 0 ? "" : `; nearest: ${close.join(", ")}`}.`;
}
