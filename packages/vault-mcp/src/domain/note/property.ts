import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { isScalar, type Scalar } from "./scalar.ts";

export interface FoundValues {
  /** The texts, numbers and booleans, lists looked through. */
  readonly scalars: readonly Scalar[];
  /** Whether the key is there with a value that is not null. */
  readonly exists: boolean;
  /** All of them as they are; of a key within a list of mappings one from each. */
  readonly values: readonly Json[];
}

/** The values of a key: an exact key, dots and all, wins over a nested one; lists are looked through. */
export function findValues(frontmatter: JsonObject, key: string, lookUp: LookUp = ownValue): FoundValues {
  const name = key.normalize("NFC");
  const found = valuesAt(frontmatter, name, lookUp);
  const exists = found.some((value) => value !== null);
  return { scalars: found.flatMap(scalarsOf), exists, values: found };
}

/** An object's own value by a key in NFC. */
export type LookUp = (object: JsonObject, key: string) => Json | undefined;

/** Looks keys up in objects that are asked for many: each object's keys are gone through once. */
export function rememberingLookUp(): LookUp {
  const known = new Map<JsonObject, Map<string, Json>>();
  return (object, key) => {
    if (Object.hasOwn(object, key)) return object[key];
    let values = known.get(object);
    if (values === undefined) {
      values = new Map(
        Object.entries(object)
          .reverse()
          .map(([name, value]) => [name.normalize("NFC"), value]),
      );
      known.set(object, values);
    }
    return values.get(key);
  };
}

function valuesAt(object: JsonObject, key: string, lookUp: LookUp): Json[] {
  const exact = lookUp(object, key);
  if (exact !== undefined) return [exact];
  const values: Json[] = [];
  for (let dot = key.indexOf("."); dot > 0; dot = key.indexOf(".", dot + 1)) {
    const outer = lookUp(object, key.slice(0, dot));
    for (const inner of Array.isArray(outer) ? outer : [outer]) {
      if (isJsonObject(inner)) values.push(...valuesAt(inner, key.slice(dot + 1), lookUp));
    }
    if (values.length > 0) break;
  }
  return values;
}

function ownValue(object: JsonObject, key: string): Json | undefined {
  if (Object.hasOwn(object, key)) return object[key];
  const spelling = Object.keys(object).find((own) => own.normalize("NFC") === key);
  return spelling === undefined ? undefined : object[spelling];
}

function scalarsOf(value: Json): Scalar[] {
  if (isScalar(value)) return [value];
  return Array.isArray(value) ? value.flatMap(scalarsOf) : [];
}

/** The keys that a filter can name: those at the top, and nested ones with dots. */
export function keysOf(frontmatter: JsonObject, prefix = ""): string[] {
  return Object.entries(frontmatter).flatMap(([key, value]) => {
    const name = `${prefix}${key}`;
    const inner = Array.isArray(value) ? value.filter(isJsonObject) : isJsonObject(value) ? [value] : [];
    return [name, ...inner.flatMap((object) => keysOf(object, `${name}.`))];
  });
}
