import { isUtf8 } from "node:buffer";
import { fileKeys } from "../../links/link-path.ts";
import { createResolver, type LinkTarget } from "../../links/resolve-link.ts";
import type { ParseYaml } from "../../note/frontmatter.ts";
import type { LinkIndex } from "./link-index.ts";
import { holdsLinks, linksOf } from "./links-of.ts";
import { readLinkedFiles } from "./read-linked-files.ts";
import type { RenameFiles } from "./rename-files.ts";
import { holdsAny, type LinkedFiles } from "./rename-planner.ts";

/** A link that leads to nothing. */
export interface BrokenLink {
  readonly source: string;
  readonly line: number;
  /** As it stands. */
  readonly text: string;
}

export interface BreakOptions {
  readonly parseYaml: ParseYaml;
  readonly signal: AbortSignal;
  /** Where it knows the vault, only files with links under the file's names are read; else all of them. */
  readonly index?: LinkIndex;
}

/** The links that lead to a file and would lead to nothing without it. */
export async function findBrokenLinks(
  files: RenameFiles,
  path: string,
  options: BreakOptions,
): Promise<BrokenLink[]> {
  const { parseYaml, signal, index } = options;
  const known = await index?.current(signal);
  const linked = known ?? (await readAll(files, options));
  const { files: paths, aliases } = linked;
  const resolver = createResolver(paths, aliases);
  const keys = new Set(fileKeys(path, aliases.get(path)));
  const sources = index === undefined || known === undefined ? paths : await index.sources(keys);
  const leading: { readonly link: LinkTarget; readonly found: BrokenLink }[] = [];
  for (const source of sources) {
    if (source === path || !holdsLinks(source)) continue;
    signal.throwIfAborted();
    const bytes = await files.readContent(source);
    const text = bytes === undefined || !isUtf8(bytes) ? "" : bytes.toString("utf8");
    if (!holdsAny(text, keys)) continue;
    for (const link of linksOf(source, text, parseYaml)) {
      if (link.path === "" || resolver.resolve(link, source).target !== path) continue;
      const found = { source, line: link.line, text: text.slice(link.range.start, link.range.end) };
      leading.push({ link: { path: link.path, syntax: link.syntax }, found });
    }
  }
  resolver.removeFile(path);
  return leading
    .filter(({ link, found }) => resolver.resolve(link, found.source).target === undefined)
    .map(({ found }) => found);
}

async function readAll(files: RenameFiles, { parseYaml, signal }: BreakOptions): Promise<LinkedFiles> {
  const scanned = await files.scan(signal);
  return readLinkedFiles(files, scanned, parseYaml, () => signal.throwIfAborted());
}
