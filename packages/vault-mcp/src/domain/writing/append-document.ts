import { VaultError } from "../errors.ts";
import { etagOf, partialEtag } from "../etag.ts";
import { largestText } from "../reading/open-document.ts";
import { appendText } from "./append-text.ts";
import { changeText, type TextChange } from "./change-text.ts";
import { guardFrontmatter } from "./guard-frontmatter.ts";
import { parseWritePath } from "./write-path.ts";
import { refreshIndex, type WritingDeps } from "./writing-deps.ts";

export interface AppendRequest {
  /** As the caller wrote it. */
  readonly path: string;
  readonly content: string;
  readonly section: string | undefined;
  readonly createIfMissing: boolean;
}

/**
 * Adds content to a document, which is made first where that was asked for.
 *
 * @throws VaultError of `appendText`, `changeText` and making a file.
 */
export async function appendDocument(
  deps: WritingDeps,
  { path: given, content, section, createIfMissing }: AppendRequest,
  signal: AbortSignal,
): Promise<TextChange & { readonly created: boolean }> {
  const path = parseWritePath("path", given, deps.place);
  if (section?.trim() === "") {
    const next = "Call again with a heading of the outline, or without section.";
    throw new VaultError("INVALID_ARGUMENT", { argument: "section", problem: "is empty", next });
  }
  const isNew = createIfMissing && (await deps.reader.read(path, given, largestText)) === undefined;
  if (isNew) {
    const made = await makeDocument(deps, path, given, content, section, signal);
    if (made !== undefined) return { ...made, created: true };
  }
  const request = { path: given, ifMatch: undefined, dryRun: false };
  const changed = await changeText(deps, request, signal, (text, file, { yaml }) => {
    // What is no note has no headings of ours.
    if (section !== undefined && file.kind !== "note") {
      throw new VaultError("SECTION_NOT_FOUND", { path: given, section, nearest: [] });
    }
    return appendText(given, text, content, section, yaml.parse);
  });
  return { ...changed, created: false };
}

/** Makes the document with the content; undefined where somebody else has made it meanwhile. */
async function makeDocument(
  deps: WritingDeps,
  path: string,
  given: string,
  content: string,
  section: string | undefined,
  signal: AbortSignal,
): Promise<TextChange | undefined> {
  const { yaml } = await deps.loadEditingTools();
  const after = appendText(given, "", content, section, yaml.parse);
  if (deps.visibility.kindOf(path) === "note") guardFrontmatter(given, undefined, after, yaml.parse);
  const bytes = Buffer.from(after);
  const made = await deps.files.exclusively(signal, async () => {
    if ((await deps.reader.read(path, given, largestText)) !== undefined) return undefined;
    signal.throwIfAborted();
    return deps.files.create(path, given, bytes);
  });
  if (made === undefined) return undefined;
  const notes = await refreshIndex(deps, [made.scope], signal);
  return { path: made.path, before: "", after, etag: partialEtag(etagOf(bytes)), outcome: undefined, notes };
}
