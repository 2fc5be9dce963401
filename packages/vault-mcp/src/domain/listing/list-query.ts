import { VaultError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { parseMoment } from "../moment.ts";
import { parsePath, type VaultPlace } from "../vault-path.ts";
import type { Visibility } from "../visibility.ts";
import { parseFilters } from "./filters.ts";
import type { ListQuery } from "./listing.ts";
import { parseSort } from "./sort-order.ts";

/** What a caller asks a listing for, in its words. */
export interface ListArguments {
  readonly folder?: string | undefined;
  readonly filters?: JsonObject | undefined;
  readonly pattern?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly modified_after?: string | undefined;
  readonly modified_before?: string | undefined;
  readonly include_attachments: boolean;
  readonly sort: string;
  readonly order: "asc" | "desc";
}

/**
 * The query that the arguments mean.
 *
 * @throws VaultError INVALID_ARGUMENT, PATH_OUTSIDE_VAULT, PATH_HIDDEN
 */
export function parseListQuery(args: ListArguments, place: VaultPlace, visibility: Visibility): ListQuery {
  const folder = args.folder === undefined ? undefined : parsePath("folder", args.folder, place);
  if (folder !== undefined && folder !== "" && visibility.isHidden(folder)) {
    throw new VaultError("PATH_HIDDEN", { path: args.folder ?? "" });
  }
  const modifiedFrom = parseTime("modified_after", args.modified_after);
  const modifiedBefore = parseTime("modified_before", args.modified_before);
  if (modifiedFrom !== undefined && modifiedBefore !== undefined && modifiedFrom >= modifiedBefore) {
    throw new VaultError("INVALID_ARGUMENT", {
      argument: "modified_before",
      problem: "is not later than modified_after, so nothing can lie between them",
      next: "Call again with modified_before later than modified_after.",
    });
  }
  return {
    folder,
    conditions: args.filters === undefined ? [] : parseFilters(args.filters),
    pattern: args.pattern,
    tags: (args.tags ?? []).map(parseTag),
    modifiedFrom,
    modifiedBefore,
    includeAttachments: args.include_attachments,
    order: { key: parseSort(args.sort), descending: args.order === "desc" },
  };
}

function parseTag(tag: string): string {
  if (/^!?[\s#/]*[^\s#/!]/.test(tag)) return tag;
  throw new VaultError("INVALID_ARGUMENT", {
    argument: "tags",
    problem: "a tag is empty",
    next: 'Call again with tags such as ["garden", "!garden/tools"].',
  });
}

function parseTime(argument: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const moment = parseMoment(text);
  if (moment !== undefined) return moment.at;
  throw new VaultError("INVALID_ARGUMENT", {
    argument,
    problem: `must be a date or date-time, not ${JSON.stringify(text.slice(0, 100))}`,
    next: `Call again with ${argument} such as "2031-02-03" or "2031-02-03T10:20:00Z".`,
  });
}
