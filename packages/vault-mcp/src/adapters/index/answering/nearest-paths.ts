import { fold } from "../../../domain/fold.ts";
import { orderedText } from "../../../domain/listing/sort-order.ts";
import { nearest } from "../../../domain/nearest.ts";
import { nameOf } from "../../../domain/note/note.ts";
import { type FolderScope, isInScope } from "../../../domain/restrict/folder-scope.ts";
import type { IndexView } from "./index-view.ts";

/** The documents that were probably meant by a path at which there is none: those of that title or alias, then those of
 * a name like it. */
export function nearestPaths(view: IndexView, path: string, most: number, within?: FolderScope): string[] {
  const isVisible = (found: string) => within === undefined || isInScope(found, within);
  const asked = plainName(path);
  const names = [asked, nameOf(asked)].map(withoutExtension);
  const named = view.list<string>(
    `SELECT path FROM document WHERE title IN (SELECT value FROM json_each(?)) AND kind = 0
     UNION SELECT path FROM alias JOIN document ON document.id = alias.id >> 16
      WHERE alias.name IN (SELECT value FROM json_each(?)) ORDER BY path`,
    "path",
    [JSON.stringify(names.map(orderedText)), JSON.stringify(names.map(fold))],
  );
  const paths = view.list<string>("SELECT path FROM document", "path").filter(isVisible);
  const like = nearest(asked, paths, most, (candidate) => withoutExtension(nameOf(candidate)));
  return [...new Set([...named.filter(isVisible), ...like])].slice(0, most);
}

/** What a wikilink or a path with a heading names. */
function plainName(path: string): string {
  const plain = path.replace(/^!?\[\[|\]\]$/g, "").replace(/(?<=.)[#|].*$/s, "");
  return plain.trim() === "" ? path : plain.trim();
}

function withoutExtension(name: string): string {
  return name.replace(/\.(?:md|markdown)$/i, "");
}
