import { foldName } from "../../fold.ts";
import type { Link } from "../../links/link.ts";
import { fileKeys, noteExtensionOf } from "../../links/link-path.ts";
import type { Retarget } from "../../links/link-text.ts";
import { createResolver, type ResolvedVia } from "../../links/resolve-link.ts";
import { rewriteLinks } from "../../links/rewrite-links.ts";
import type { ParseYaml } from "../../note/frontmatter.ts";
import { linksOf } from "./links-of.ts";
import { type Move, movedPath } from "./moves.ts";

/** The vault before the move, as far as links depend on it. */
export interface LinkedFiles {
  /** Paths of all notes and attachments. */
  readonly files: readonly string[];
  readonly aliases: ReadonlyMap<string, readonly string[]>;
}

/** One link, before and after. */
export interface LinkChange {
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/** What becomes of a file's text. */
export interface RewrittenFile {
  readonly text: string;
  readonly changes: readonly LinkChange[];
  /** Links that could not be rewritten in their place, as they stand. */
  readonly failed: readonly string[];
}

export interface RenamePlanner {
  /** What moves, by the paths before. */
  readonly moving: readonly string[];
  /** Every link that the move concerns and that is in no moving file has one of these keys (`fileKeys`). */
  readonly keys: ReadonlySet<string>;
  /** Whether a file's text can have a link that the move concerns; quick, and right when it says no. */
  mayConcern(path: string, text: string): boolean;
  /**
   * The text of a file with its links kept whole.
   *
   * @param path of the file before the move.
   */
  rewrite(path: string, text: string): RewrittenFile;
}

/** Beyond this many names reading a text is quicker than looking for them. */
const mostKeys = 250;

/** Plans what a move does to the links of a vault: those to what moves, those in it, and those that would lead elsewhere. */
export function createRenamePlanner(
  { files, aliases }: LinkedFiles,
  move: Move,
  parseYaml: ParseYaml,
): RenamePlanner {
  const moving = files.filter((path) => movedPath(move, path) !== path);
  const before = createResolver(files, aliases);
  const after = createResolver(
    files.map((path) => movedPath(move, path)),
    [...aliases].map(([path, names]) => [movedPath(move, path), names] as const),
  );
  const keys = new Set(
    moving.flatMap((path) => [...fileKeys(path, aliases.get(path)), ...fileKeys(movedPath(move, path))]),
  );
  const isMoving = new Set(moving);

  function retarget(link: Link, source: string): Retarget | undefined {
    const was = before.resolve(link, source);
    if (was.target === undefined || link.path === "") return undefined;
    const target = movedPath(move, was.target);
    const newSource = movedPath(move, source);
    const now = after.resolve(link, newSource);
    const becameAmbiguous =
      target !== was.target && now.target === target && now.candidates.length > was.candidates.length;
    // Other programs find a Markdown link by its whole path or from its note's folder alone.
    const isLoose =
      link.syntax !== "wikilink" && isExact(was.via) && now.target === target && !isExact(now.via);
    const keeps =
      now.target === target && !becameAmbiguous && !isLoose && !namesOldCase(link, was.target, target);
    return keeps ? undefined : { source: newSource, target, resolver: after, via: was.via };
  }

  return {
    moving,
    keys,
    mayConcern(path, text) {
      if (isMoving.has(path) || keys.size > mostKeys) return true;
      return holdsAny(text, keys);
    },
    rewrite(path, text) {
      const extract = (changed: string) => linksOf(path, changed, parseYaml);
      const { text: result, changed, failed } = rewriteLinks(text, extract, (link) => retarget(link, path));
      const spelled = ({ range }: Link, whole: string) => whole.slice(range.start, range.end);
      if (changed.length === 0)
        return { text, changes: [], failed: failed.map((link) => spelled(link, text)) };
      const [old, now] = [extract(text), extract(result)];
      const isChanged = new Set(changed.map(({ range }) => range.start));
      const changes = old.flatMap((link, index): LinkChange[] => {
        const next = now[index];
        if (!isChanged.has(link.range.start) || next === undefined) return [];
        const [was, is] = [spelled(link, text), spelled(next, result)];
        // A use of a definition stands as it did; what changed is the definition's target.
        return [{ line: link.line, before: was === is ? link.raw : was, after: was === is ? next.raw : is }];
      });
      return { text: result, changes, failed: failed.map((link) => spelled(link, text)) };
    },
  };
}

function isExact(via: ResolvedVia): boolean {
  return via === "path" || via === "folder";
}

/** A link that follows a name whose case alone changes still leads there, but was written as the name was. */
function namesOldCase({ path }: Link, from: string, to: string): boolean {
  if (from === to || foldName(from) !== foldName(to)) return false;
  const bare = (whole: string) => whole.slice(0, whole.length - noteExtensionOf(whole).length);
  const written = bare(path)
    .replace(/^(?:\.{0,2}\/)+/, "")
    .normalize("NFC");
  const ends = (whole: string) => `/${bare(whole).normalize("NFC")}`.endsWith(`/${written}`);
  return ends(from) && !ends(to);
}

/** Whether one of the names occurs in a text, plain or in an encoding that links have. */
export function holdsAny(text: string, keys: ReadonlySet<string>): boolean {
  // Character references and escapes of YAML and JSON: too many ways to spell a name.
  if (/&#?\w+;|\\[uUx]/.test(text)) return true;
  const plain = foldName(text);
  for (const key of keys) if (plain.includes(key)) return true;
  if (!/[%\\]|''/.test(text)) return false;
  const decoded = foldName(
    text
      .replaceAll("\\", "")
      .replaceAll("''", "'")
      .replace(/(?:%[0-9a-f]{2})+/gi, decode),
  );
  for (const key of keys) if (decoded.includes(key)) return true;
  return false;
}

function decode(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
