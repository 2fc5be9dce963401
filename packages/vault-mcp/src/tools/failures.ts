import { type CoreFailureDetails, coreFailures, type FailureTexts, quote } from "@mcp-file-servers/core";
import type { FailureDetails, VaultError } from "../domain/errors.ts";
import type { Miss } from "../domain/writing/explain-miss.ts";

const list = (items: readonly string[]) => items.map(quote).join(", ");

/** What each failure says and what to do next. */
export const failures = {
  ...coreFailures,
  NOT_FOUND: {
    message: ({ path, nearest }) =>
      `path: there is no ${quote(path)} in the vault${nearest.length > 0 ? `; nearest: ${list(nearest)}` : ""}`,
    next: ({ nearest: [first] }) =>
      first === undefined
        ? "Call list_documents to see which paths there are."
        : `Call again with path ${quote(first)} if that was meant, or call list_documents to see which paths there are.`,
  },
  PATH_OUTSIDE_VAULT: {
    message: ({ path, reason }) =>
      `the path ${quote(path)} ${reason}, and nothing outside the vault is served`,
    next: () => "Call again with a path inside the vault, as list_documents gives it.",
  },
  PATH_HIDDEN: {
    message: ({ path }) =>
      `the path ${quote(path)} is hidden: names that begin with a dot, node_modules and excluded paths are not served`,
    next: () =>
      "Call again with a path that list_documents gives; only the vault's owner can change --exclude.",
  },
  NOT_A_FILE: {
    message: ({ path, what }) => `the path ${quote(path)} is ${what}, not a file`,
    next: ({ path }) => `Call list_documents with folder ${quote(path)} to see what is in it.`,
  },
  KIND_NOT_SERVED: {
    message: ({ path, served }) =>
      `the file ${quote(path)} is of a kind that is not served; served are md, markdown, ${served.join(", ")}`,
    next: () => "Read another file, or ask the vault's owner to add the extension to --attachments.",
  },
  SECTION_NOT_FOUND: {
    message: ({ path, section, nearest }) =>
      `section: there is no ${quote(section)} in ${quote(path)}${nearest.length > 0 ? `; there are ${list(nearest)}` : ""}`,
    next: ({ nearest }) =>
      nearest.length === 0
        ? "Call again without section: the document has none."
        : "Call again with a heading of the outline, its path such as A > B, or a block id such as ^id.",
  },
  TOO_LARGE: {
    message: ({ path, bytes, limitBytes }) =>
      `the file ${quote(path)} has ${bytes} bytes, more than the ${limitBytes} that can be read at once`,
    next: () => "Read another file; this one needs a program of its own.",
  },
  PATTERN_TOO_COSTLY: {
    message: ({ limit }) => `pattern: it goes beyond the limit of ${limit}`,
    next: () => "Call again with fewer wildcards in pattern, or with folder to narrow the list.",
  },
  VAULT_UNREADABLE: {
    message: ({ path, reason }) =>
      `${path === "" ? "the vault's folder" : `the file ${quote(path)}`} cannot be read: ${reason}`,
    next: () => "Try again once the vault's owner has made it readable.",
  },
  ETAG_REQUIRED: {
    message: ({ path }) => `if_match: is missing, and there is a document at ${quote(path)} already`,
    next: () =>
      "Call read_document for all of it and pass its etag as if_match, or use edit_document to change a part.",
  },
  ETAG_MISMATCH: {
    message: ({ path, current }) =>
      `if_match: ${quote(path)} has another content by now, its etag is ${current}`,
    next: () => "Call read_document again and decide on what is there now, then call with its etag.",
  },
  READ_INCOMPLETE: {
    message: ({ path }) =>
      `if_match: the etag is partial, so a part of ${quote(path)} was never read and would be lost`,
    next: () =>
      "Call read_document without section and lines, go on with next_cursor to the end, and pass the last etag; or use edit_document.",
  },
  EDIT_NOT_FOUND: {
    message: ({ path, edit, miss }) =>
      `edits[${edit}].old_text: is not in ${quote(path)}${describeMiss(miss)}`,
    next: ({ miss }) =>
      miss === undefined
        ? "Call read_document and take old_text from there as it stands."
        : "Call again with old_text exactly as the file has it; read_document shows it.",
  },
  EDIT_AMBIGUOUS: {
    message: ({ path, edit, count, lines }) =>
      `edits[${edit}].old_text: is ${count} times in ${quote(path)}, at line ${lines.join(", ")}${count > lines.length ? " …" : ""}`,
    next: () => "Call again with more of the text around the one that is meant, or with replace_all: true.",
  },
  EDITS_OVERLAP: {
    message: ({ path, edits: [first, second] }) =>
      `edits[${first}] and edits[${second}]: replace the same text in ${quote(path)}`,
    next: () => "Call again with one edit in place of the two.",
  },
  SECTION_AMBIGUOUS: {
    message: ({ path, section, lines }) =>
      `section: ${quote(section)} is more than once in ${quote(path)}, at line ${lines.join(", ")}`,
    next: () => "Call again with the path of the heading, such as A > B; or use edit_document.",
  },
  FRONTMATTER_BROKEN: {
    message: ({ path, line, reason, before }) =>
      `the frontmatter of ${quote(path)} ${before ? "is broken" : "would be broken by this write"}: line ${line}, ${quote(reason)}`,
    next: ({ before }) =>
      before
        ? "Call edit_document to mend the frontmatter first; read_document shows it."
        : "Call again with text that leaves the frontmatter readable, such as a quoted value.",
  },
  FRONTMATTER_NOT_EDITABLE: {
    message: ({ path, reason }) =>
      `the frontmatter of ${quote(path)} cannot be changed in place: ${quote(reason)}`,
    next: () => "Call read_document and change the frontmatter's own text with edit_document.",
  },
  NOT_TEXT: {
    message: ({ path, line }) =>
      `the file ${quote(path)} is no UTF-8 text (line ${line}), so an edit would damage it`,
    next: () =>
      "Convert it to UTF-8 with an editor first; no tool of this server changes such a file in part.",
  },
  NAME_NOT_ALLOWED: {
    message: ({ path, name, reason }) => `path: the name ${quote(name)} in ${quote(path)} ${reason}`,
    next: () => "Call again with another name.",
  },
  ALREADY_EXISTS: {
    message: ({ path, found }) =>
      `path: for ${quote(path)} there is ${quote(found)} already, which stays as it is`,
    next: () =>
      "Call again with another path; read_document shows what is there, and restore_document takes a version.",
  },
  VERSION_NOT_FOUND: {
    message: ({ path, version, versions }) =>
      `${version === "" ? `nothing deleted is kept of ${quote(path)}` : `version: ${quote(version)} is not kept of ${quote(path)}`}; kept: ${versions.length === 0 ? "none" : versions.join(", ")}`,
    next: ({ versions: [first] }) =>
      first === undefined
        ? "Call list_documents to check the path; contents are kept under the path that they had."
        : `Call again with version ${first.slice(0, 16)} or another of those that are kept.`,
  },
  NOT_WRITTEN: {
    message: ({ path, reason }) =>
      path === "" ? `nothing was written: ${reason}` : `${quote(path)} was not changed: ${reason}`,
    next: ({ retry }) =>
      retry ? "Try again later." : "Ask the vault's owner to make that possible, then call again.",
  },
} satisfies FailureTexts<FailureDetails & CoreFailureDetails>;

/** A failure as one of several answers. */
export function describeFailure({ code, details }: VaultError): {
  code: string;
  message: string;
  next: string;
} {
  const text = (failures as unknown as FailureTexts<Record<string, object>>)[code] ?? failures.INTERNAL;
  return { code, message: text.message(details), next: text.next(details) };
}

const kinds: Readonly<Record<Miss["kind"], string>> = {
  whitespace: "; only white space differs from line ",
  typography: "; only typography (quotes, dashes, spaces, accents) differs from line ",
  case: "; only upper and lower case differ from line ",
  other: "; nearest is line ",
};

function describeMiss(miss: Miss | undefined): string {
  if (miss === undefined) return ", nor anything like it";
  const { kind, line, lineText, agrees, wanted, found } = miss;
  const place = agrees === "" ? "at its beginning" : `after ${quote(agrees)}`;
  return `${kinds[kind]}${line}, ${quote(lineText)}: ${place} the file has ${character(found)} and old_text ${character(wanted)}`;
}

/** A character with its code point, since many look alike or cannot be seen. */
function character(text: string): string {
  if (text === "") return "its end";
  if (text === "\n") return "a line break";
  const code = text.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
  return `${quote(text)} (U+${code})`;
}
