import { fold } from "../../../domain/fold.ts";
import { type Condition, holds } from "../../../domain/listing/filters.ts";
import { matchPattern } from "../../../domain/listing/pattern.ts";
import { propertyText } from "../../../domain/note/property-rows.ts";
import { numberOf, type Scalar } from "../../../domain/note/scalar.ts";
import { readWantedTag } from "../../../domain/note/tags.ts";
import { bundleKeys, okfFacts } from "../../../domain/okf.ts";
import { exclude, join, retain, setOf } from "./id-set.ts";
import type { Conditions, IdSet } from "./index-snapshot.ts";
import type { IndexView } from "./index-view.ts";

/** The documents that all conditions select: each condition gives a set, and sets are combined in memory. */
export function selectIds(view: IndexView, conditions: Conditions): IdSet {
  const sets = setsOf(view, conditions);
  const [first, ...others] = sets;
  if (first === undefined)
    return view.keepMembership(`kinds ${kindOf(conditions)}`, () => allOf(view, conditions));
  const selected = first.slice();
  for (const other of others) retain(selected, other);
  return selected;
}

function* setsOf(view: IndexView, query: Conditions): Generator<IdSet> {
  const { conditions, tags, folder, within, pattern, modifiedFrom, modifiedBefore } = query;
  if (within !== undefined) {
    const sets = within.map((one) => folderSet(view, query, one));
    yield union(sets, view.size);
  }
  for (const condition of conditions) yield conditionSet(view, condition);
  for (const tag of tags) yield view.keep(`tag ${kindOf(query)} ${tag}`, () => tagSet(view, query, tag));
  if (folder !== undefined) yield folderSet(view, query, folder);
  if (modifiedFrom !== undefined || modifiedBefore !== undefined) {
    const ids = view.ids(`SELECT id FROM document WHERE modified >= ? AND modified < ? ${andKind(query)}`, [
      modifiedFrom ?? Number.MIN_SAFE_INTEGER,
      modifiedBefore ?? Number.MAX_SAFE_INTEGER,
    ]);
    yield setOf(ids, view.size);
  }
  // Last: a pattern that is none is refused even when nothing else is selected.
  if (pattern !== undefined) yield patternSet(view, query, pattern);
}

function kindOf({ includeAttachments }: Pick<Conditions, "includeAttachments">): string {
  return includeAttachments ? "all" : "notes";
}

export function andKind({ includeAttachments }: Pick<Conditions, "includeAttachments">): string {
  return includeAttachments ? "" : "AND kind = 0";
}

function allOf(view: IndexView, query: Conditions): IdSet {
  return setOf(view.ids(`SELECT id FROM document WHERE true ${andKind(query)}`), view.size);
}

/** The spellings on the disk of a folder's path. */
export function spellingsOf(view: IndexView, folder: string): string[] {
  const rows = view.reader.all<{ path: string }>("SELECT path FROM folder WHERE name = ?", [
    folder.normalize("NFC"),
  ]);
  return rows.map(({ path }) => path);
}

function folderSet(view: IndexView, query: Conditions, folder: string): IdSet {
  if (folder === "") {
    return setOf(view.ids(`SELECT id FROM document WHERE folder = '' ${andKind(query)}`), view.size);
  }
  const ids = spellingsOf(view, folder).flatMap((path) =>
    view.ids(`SELECT id FROM document WHERE path > ? AND path < ? ${andKind(query)}`, [
      `${path}/`,
      `${path}0`,
    ]),
  );
  return setOf(ids, view.size);
}

function patternSet(view: IndexView, query: Conditions, pattern: string): IdSet {
  return view.keepMembership(`pattern ${kindOf(query)} ${pattern}`, () => {
    const { ids, paths } = view.keepMembership(`paths ${kindOf(query)}`, () => loadPaths(view, query));
    return setOf(
      matchPattern(pattern, paths).map((index) => ids[index] as number),
      view.size,
    );
  });
}

function loadPaths(view: IndexView, query: Conditions) {
  const select = `SELECT id, path FROM document INDEXED BY document_path WHERE path > '' ${andKind(query)} ORDER BY path`;
  const ids = Int32Array.from(view.ids(select));
  const paths = view.list<string>(select, "path");
  const characters = paths.reduce((sum, path) => sum + path.length, 0);
  return { ids, paths, byteLength: ids.byteLength + characters + paths.length * 24 };
}

function tagSet(view: IndexView, query: Conditions, wanted: string): IdSet {
  const { tag, without } = readWantedTag(wanted);
  const name = fold(tag);
  const ids = view.ids("SELECT id >> 16 AS id FROM tag WHERE name = ? OR (name > ? AND name < ?)", [
    name,
    `${name}/`,
    `${name}0`,
  ]);
  const having = setOf(ids, view.size);
  if (!without) return having;
  const rest = allOf(view, query);
  exclude(rest, having);
  return rest;
}

function conditionSet(view: IndexView, condition: Condition): IdSet {
  const { key, operator, operands } = condition;
  if (view.isBundle && bundleKeys.includes(key)) return bundleSet(view, condition);
  return view.keep(`condition ${JSON.stringify([key, operator, operands])}`, () =>
    propertySet(view, condition),
  );
}

function propertySet(view: IndexView, { key, operator, operands }: Condition): IdSet {
  const name = key.normalize("NFC");
  const where = (test: string, parameters: readonly Scalar[] = []) =>
    setOf(
      view.ids(`SELECT id >> 16 AS id FROM property WHERE key = ? AND ${test}`, [name, ...parameters]),
      view.size,
    );
  const having = (value: Scalar) => where("text = ?", [propertyText(value)]);
  switch (operator) {
    case "eq":
      return allHaving(operands, having);
    case "ne":
      return complement(view, allHaving(operands, having));
    case "in":
      return union(operands.map(having), view.size);
    case "exists":
      return operands[0] === true ? where("type <> 'null'") : complement(view, where("type <> 'null'"));
    default:
      return union(
        operands.map((operand) => compared(operator, operand, where)),
        view.size,
      );
  }
}

const signs = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

function compared(
  operator: keyof typeof signs,
  operand: Scalar,
  where: (test: string, parameters: readonly Scalar[]) => IdSet,
): IdSet {
  const sign = signs[operator];
  const number = numberOf(operand);
  const text = propertyText(operand);
  return number === undefined
    ? where(`text ${sign} ?`, [text])
    : where(`((number IS NULL AND text ${sign} ?) OR number ${sign} CAST(? AS REAL))`, [
        text,
        // As text: a whole number beyond 2^53 could not be handed over.
        String(number),
      ]);
}

function allHaving(operands: readonly Scalar[], having: (value: Scalar) => IdSet): IdSet {
  const [first, ...others] = operands.map(having);
  const set = first ?? new Uint8Array(0);
  for (const other of others) retain(set, other);
  return set;
}

function union(sets: readonly IdSet[], size: number): IdSet {
  const all = new Uint8Array(size);
  for (const set of sets) join(all, set);
  return all;
}

/** The notes whose frontmatter can be asked, without those of a set. */
function complement(view: IndexView, set: IdSet): IdSet {
  const rest = filterable(view).slice();
  exclude(rest, set);
  return rest;
}

function filterable(view: IndexView): IdSet {
  return view.keep("filterable", () =>
    setOf(view.ids("SELECT id FROM document WHERE filterable = 1"), view.size),
  );
}

/** By the three keys that have a meaning of their own in a bundle: their values are few, so each is asked once. */
function bundleSet(view: IndexView, condition: Condition): IdSet {
  const fits = (value: Scalar) => holds(condition, [value], true);
  const column =
    { status: "status", trust_tier: "trust_tier", stale: "stale_after" }[condition.key] ?? "status";
  const toValue = (stored: string | null): Scalar =>
    column === "stale_after" ? okfFacts({ stale_after: stored }, view.now).stale : (stored ?? "");
  const byDefault = okfFacts({}, view.now);
  const usual = { status: byDefault.status, trust_tier: byDefault.trustTier, stale: byDefault.stale }[
    condition.key
  ];
  const set = fits(usual ?? "") ? filterable(view).slice() : new Uint8Array(view.size);
  const rows = view.reader.all<{ value: string | null; ids: string }>(
    `SELECT ${column} AS value, json_group_array(id) AS ids FROM okf GROUP BY ${column}`,
  );
  for (const { value, ids } of rows) {
    const member = fits(toValue(value)) ? 1 : 0;
    for (const id of JSON.parse(ids) as number[]) set[id] = member;
  }
  return set;
}
