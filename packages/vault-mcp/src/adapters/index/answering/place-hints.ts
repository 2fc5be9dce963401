import { everything, type ListHint, type ListQuery } from "../../../domain/listing/listing.ts";
import { matchPattern } from "../../../domain/listing/pattern.ts";
import { mostNearest, nearest } from "../../../domain/nearest.ts";
import { nameOf } from "../../../domain/note/note.ts";
import { isInScope } from "../../../domain/restrict/folder-scope.ts";
import type { IndexView } from "./index-view.ts";

/** Where nothing lies at the place that a folder and a pattern name together, or attachments alone. */
export function placeHints(
  view: IndexView,
  { folder, pattern, within, includeAttachments }: ListQuery,
): ListHint[] {
  if (folder === undefined && pattern === undefined) return [];
  const isEmpty = (includeAttachments: boolean) =>
    !view.select({ ...everything, folder, pattern, within, includeAttachments }).includes(1);
  if (!isEmpty(includeAttachments)) return [];
  if (!isEmpty(true)) return [{ kind: "attachments" }];
  if (folder === "" && pattern === undefined) return includeAttachments ? [] : [{ kind: "root" }];
  return folder === undefined && pattern !== undefined ? patternHints(view, pattern, within) : [];
}

/** Paths that fit but for their case, else folders and documents of a name like that of the pattern. */
function patternHints(view: IndexView, pattern: string, within: ListQuery["within"]): ListHint[] {
  const paths = view
    .list<string>("SELECT path FROM folder UNION ALL SELECT path FROM document", "path")
    .filter((path) => within === undefined || isInScope(path, within));
  const folded = paths.map((path) => path.toLowerCase());
  const alike = matchPattern(pattern.toLowerCase(), folded).map((index) => paths[index] ?? "");
  const literal = pattern.replace(/[*?]+/g, "").replace(/^\/+|\/+$/g, "");
  const near = alike.length > 0 ? alike.slice(0, mostNearest) : nearest(literal, paths, mostNearest, nameOf);
  return [{ kind: "pattern", name: pattern, nearest: near }];
}
