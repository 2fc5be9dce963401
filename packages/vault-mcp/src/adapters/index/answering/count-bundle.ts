import { nameOf } from "../../../domain/note/note.ts";
import { okfFacts, reservedNames } from "../../../domain/okf.ts";
import type { BundleCounts } from "../../../domain/survey/vault-survey.ts";
import { visibleSet } from "./document-list.ts";
import type { IndexSnapshot } from "./index-snapshot.ts";

/** What the notes of a bundle are, counted: those whose frontmatter can be read, without those of reserved names. */
export function countBundle(snapshot: IndexSnapshot, now: Date): BundleCounts {
  const { reader } = snapshot;
  const visible = visibleSet(snapshot);
  const all = reader.get<{ notes: string }>(
    "SELECT json_group_array(json_array(id, path)) AS notes FROM document WHERE filterable = 1",
  );
  const notes = (JSON.parse(all?.notes ?? "[]") as [id: number, path: string][]).filter(
    ([id]) => visible[id] === 1,
  );
  const concepts = new Set(notes.filter(([, path]) => !isReserved(path)).map(([id]) => id));

  const status = new Map<string, number>();
  const trustTier = new Map<string, number>();
  let stale = 0;
  let differing = 0;
  const rows = reader.all<{ id: number; status: string; trust_tier: string; stale_after: string | null }>(
    "SELECT id, status, trust_tier, stale_after FROM okf",
  );
  for (const row of rows) {
    if (!concepts.has(row.id)) continue;
    differing += 1;
    add(status, row.status, 1);
    add(trustTier, row.trust_tier, 1);
    if (okfFacts({ stale_after: row.stale_after }, now).stale) stale += 1;
  }
  // Who has no row is as usual.
  const usual = okfFacts({}, now);
  add(status, usual.status, concepts.size - differing);
  add(trustTier, usual.trustTier, concepts.size - differing);

  const types = new Map<string, number>();
  const typed = reader.all<{ id: number; type: string }>(
    `SELECT id >> 16 AS id, coalesce(shown, text) AS type FROM property WHERE key = 'type' AND type = 'text'`,
  );
  let typedNotes = 0;
  for (const { id, type } of typed) {
    if (!concepts.has(id) || type.trim() === "") continue;
    typedNotes += 1;
    add(types, type.trim(), 1);
  }
  return {
    types: byCount(types),
    untyped: concepts.size - typedNotes,
    status: byCount(status),
    trustTier: byCount(trustTier),
    stale,
    reserved: notes.length - concepts.size,
  };
}

function isReserved(path: string): boolean {
  return reservedNames.includes(nameOf(path).toLowerCase());
}

function add(counts: Map<string, number>, name: string, count: number): void {
  if (count > 0) counts.set(name, (counts.get(name) ?? 0) + count);
}

function byCount(counts: ReadonlyMap<string, number>): [name: string, notes: number][] {
  return [...counts].sort(([a, first], [b, second]) => second - first || (a < b ? -1 : 1));
}
