import { isUtf8 } from "node:buffer";
import type { ParseYaml } from "../../frontmatter.ts";
import { createResolver } from "../../links/resolve-link.ts";
import { holdsLinks, linksOf } from "./links-of.ts";
import { readLinkedFiles } from "./plan-rename.ts";
import type { RenameFiles } from "./rename-files.ts";
import { holdsAny, nameKey } from "./rename-planner.ts";

/** A link that leads to nothing. */
export interface BrokenLink {
  readonly source: string;
  readonly line: number;
  /** As it stands. */
  readonly text: string;
}

/** The links that lead to a file and would lead to nothing without it. */
export async function findBrokenLinks(
  files: RenameFiles,
  path: string,
  parseYaml: ParseYaml,
  signal: AbortSignal,
): Promise<BrokenLink[]> {
  const scanned = await files.scan(signal);
  const { files: paths, aliases } = await readLinkedFiles(files, scanned, parseYaml, () =>
    signal.throwIfAborted(),
  );
  const before = createResolver(paths, aliases);
  const after = createResolver(
    paths.filter((other) => other !== path),
    [...aliases].filter(([other]) => other !== path),
  );
  const keys = new Set([nameKey(path), ...(aliases.get(path) ?? []).map(nameKey)]);
  const broken: BrokenLink[] = [];
  for (const { path: source, kind } of scanned) {
    if (source === path || !holdsLinks(source, kind)) continue;
    signal.throwIfAborted();
    const bytes = await files.readContent(source);
    const text = bytes === undefined || !isUtf8(bytes) ? "" : bytes.toString("utf8");
    if (!holdsAny(text, keys)) continue;
    for (const link of linksOf(source, text, parseYaml)) {
      if (link.path === "" || before.resolve(link, source).target !== path) continue;
      if (after.resolve(link, source).target !== undefined) continue;
      broken.push({ source, line: link.line, text: text.slice(link.range.start, link.range.end) });
    }
  }
  return broken;
}
