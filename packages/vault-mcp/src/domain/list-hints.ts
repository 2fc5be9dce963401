import { isFilterable, type ListHint, type ListQuery } from "./listing.ts";
import { nearest } from "./nearest.ts";
import { okfFacts } from "./okf.ts";
import { hasKey } from "./property.ts";
import { bundleKeys } from "./select-documents.ts";
import { knownKeys, knownTags, type Snapshot } from "./snapshot.ts";
import { hasTag } from "./tags.ts";

const mostNearest = 5;

/** What of an answered query nothing in the vault answers to. */
export function findHints(snapshot: Snapshot, query: ListQuery, now: Date): ListHint[] {
  return [
    ...folderHints(snapshot, query),
    ...keyHints(snapshot, query),
    ...tagHints(snapshot, query),
    ...valueHints(snapshot, query, now),
  ];
}

function folderHints({ folders }: Snapshot, { folder }: ListQuery): ListHint[] {
  if (folder === undefined || folder === "") return [];
  const name = folder.normalize("NFC");
  for (const known of folders) if (known.normalize("NFC") === name) return [];
  const lastName = (path: string) => path.slice(path.lastIndexOf("/") + 1);
  return [{ kind: "folder", name: folder, nearest: nearest(folder, folders, mostNearest, lastName) }];
}

function keyHints(snapshot: Snapshot, { conditions }: ListQuery): ListHint[] {
  const asked = conditions
    .map(({ key }) => key)
    .filter((key) => !snapshot.isBundle || !bundleKeys.includes(key));
  const { documents } = snapshot;
  const isKnown = (key: string) =>
    documents.some((one) => one.kind === "note" && hasKey(one.frontmatter, key));
  const unknown = [...new Set(asked)].filter((key) => !isKnown(key));
  if (unknown.length === 0) return [];
  const keys = knownKeys(snapshot);
  return unknown.map((key) => ({ kind: "key", name: key, nearest: nearest(key, keys, mostNearest) }));
}

function tagHints(snapshot: Snapshot, { tags }: ListQuery): ListHint[] {
  const { documents } = snapshot;
  const isKnown = (tag: string) => documents.some((one) => one.kind === "note" && hasTag(one.tags, tag));
  const unknown = tags.filter((tag) => !isKnown(tag));
  if (unknown.length === 0) return [];
  const known = knownTags(snapshot);
  return unknown.map((tag) => ({ kind: "tag", name: tag, nearest: nearest(tag, known, mostNearest) }));
}

/** Of a bundle's keys the values are few: one that nothing has is worth a word. */
function valueHints(snapshot: Snapshot, { conditions }: ListQuery, now: Date): ListHint[] {
  if (!snapshot.isBundle) return [];
  const asked = conditions.filter(({ key, operator }) => bundleKeys.includes(key) && operator === "eq");
  if (asked.length === 0) return [];
  const facts = snapshot.documents.filter(isFilterable).map(({ frontmatter }) => okfFacts(frontmatter, now));
  return asked.flatMap(({ key, operands }) => {
    const known = new Set(
      facts.map((fact) =>
        String(key === "status" ? fact.status : key === "stale" ? fact.stale : fact.trustTier),
      ),
    );
    return operands
      .map(String)
      .filter((value) => ![...known].some((one) => one.toLowerCase() === value.toLowerCase()))
      .map((name) => ({ kind: "value", key, name, known: [...known].sort() }) as const);
  });
}
