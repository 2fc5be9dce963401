import { everything, type ListHint, type ListQuery } from "../../../domain/listing/listing.ts";
import { mostNearest, nearest } from "../../../domain/nearest.ts";
import { propertyText } from "../../../domain/note/property-rows.ts";
import { bundleKeys, okfFacts } from "../../../domain/okf.ts";
import type { IndexView } from "./index-view.ts";

/** Of a bundle's keys the values are few: one that nothing has is worth a word. */
export function bundleValueHints(view: IndexView, { conditions }: ListQuery): ListHint[] {
  if (!view.isBundle) return [];
  const asked = conditions.filter(({ key, operator }) => bundleKeys.includes(key) && operator === "eq");
  return asked.flatMap(({ key, operands }) => {
    const known = bundleValues(view, key);
    return operands
      .map(String)
      .filter((value) => !known.some((one) => one.toLowerCase() === value.toLowerCase()))
      .map((name) => ({ kind: "value", key, name, nearest: known, complete: true }) as const);
  });
}

/** More different values of a key are not looked through. */
const mostValues = 2_000;

/** A value that no note has, of a key that there is. */
export function valueHints(view: IndexView, { conditions, within }: ListQuery): ListHint[] {
  // What values there are is not told to who may see some folders alone.
  if (within !== undefined) return [];
  const asked = conditions.filter(
    ({ key, operator }) => operator === "eq" && !(view.isBundle && bundleKeys.includes(key)),
  );
  return asked.flatMap((condition): ListHint[] => {
    const { key, operands } = condition;
    const name = key.normalize("NFC");
    const isHeld = (text: string) =>
      view.reader.get("SELECT 1 FROM property WHERE key = ? AND text = ? LIMIT 1", [name, text]) !==
      undefined;
    const unknown = operands.map(propertyText).filter((text) => !isHeld(text));
    if (unknown.length === 0) {
      const isMet =
        operands.length < 2 || view.select({ ...everything, conditions: [condition] }).includes(1);
      return isMet ? [] : [{ kind: "together", key }];
    }
    const isKnown = view.reader.get("SELECT 1 FROM property WHERE key = ? LIMIT 1", [name]) !== undefined;
    if (!isKnown) return [];
    const known = valuesOf(view, name);
    return unknown.map((text) => {
      const near = nearest(text, known, mostNearest).map((value) => spelled(view, name, value));
      return { kind: "value", key, name: text, nearest: near, complete: false };
    });
  });
}

/** The different values of a key in the form in which they are compared, by jumps. */
function valuesOf(view: IndexView, key: string): string[] {
  return view.list<string>(
    `WITH RECURSIVE found (value) AS (
       SELECT min(text) FROM property WHERE key = ?
       UNION ALL SELECT (SELECT min(text) FROM property WHERE key = ? AND text > value) FROM found WHERE value IS NOT NULL
     ) SELECT value FROM found WHERE value IS NOT NULL LIMIT ${mostValues}`,
    "value",
    [key, key],
  );
}

function spelled(view: IndexView, key: string, text: string): string {
  const select = "SELECT shown FROM property WHERE key = ? AND text = ? AND shown IS NOT NULL LIMIT 1";
  return view.reader.get<{ shown: string }>(select, [key, text])?.shown ?? text;
}

function bundleValues(view: IndexView, key: string): string[] {
  const { reader, now } = view;
  const column = key === "stale" ? "stale_after" : key;
  const rows = reader.all<{ value: string | null }>(`SELECT DISTINCT ${column} AS value FROM okf`);
  const values = rows.map(({ value }) =>
    key === "stale" ? String(okfFacts({ stale_after: value }, now).stale) : (value ?? ""),
  );
  const usual = okfFacts({}, now);
  const differing = reader.get<{ n: number }>("SELECT count(*) AS n FROM okf")?.n ?? 0;
  const all = reader.get<{ n: number }>("SELECT count(*) AS n FROM document WHERE filterable = 1")?.n ?? 0;
  if (all > differing)
    values.push(String({ status: usual.status, trust_tier: usual.trustTier, stale: usual.stale }[key]));
  return [...new Set(values)].sort();
}
