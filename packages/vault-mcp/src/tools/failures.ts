import { type CoreFailureDetails, coreFailures, type FailureTexts, quote } from "@mcp-file-servers/core";
import type { FailureDetails, VaultError } from "../domain/errors.ts";
import type { WriteFailureDetails } from "../domain/writing/write-failures.ts";

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
    next: () =>
      "Call again with a heading of the outline, its path such as A > B, or a block id such as ^id.",
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
} satisfies FailureTexts<Omit<FailureDetails, keyof WriteFailureDetails> & CoreFailureDetails>;

/** A failure as one of several answers. */
export function describeFailure({ code, details }: VaultError): {
  code: string;
  message: string;
  next: string;
} {
  const text = (failures as unknown as FailureTexts<Record<string, object>>)[code] ?? failures.INTERNAL;
  return { code, message: text.message(details), next: text.next(details) };
}
