import { closest, distance } from "fastest-levenshtein";
import type * as z from "zod";
import { CoreFailure, quote } from "./failure.ts";
import { parseJson } from "./json.ts";
import type { JsonSchema } from "./schema.ts";

type Arguments = Record<string, unknown>;

function typesOf(schema: JsonSchema): readonly string[] {
  return [schema.type ?? []].flat();
}

function isPlainObject(value: unknown): value is Arguments {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function mendText(text: string, schema: JsonSchema): unknown {
  const types = typesOf(schema);
  // A string argument is never touched: its text may look like anything.
  if (types.includes("string")) return text;
  if ((types.includes("integer") || types.includes("number")) && /^-?\d+(\.\d+)?$/.test(text))
    return Number(text);
  if (types.includes("boolean") && (text === "true" || text === "false")) return text === "true";
  const value = parseJson(text);
  if (types.includes("array") && Array.isArray(value)) return mendValue(value, schema);
  if (types.includes("object") && isPlainObject(value)) return mendValue(value, schema);
  return text;
}

function mendValue(value: unknown, schema: JsonSchema): unknown {
  if (typeof value === "string") return mendText(value, schema);
  const { items, properties } = schema;
  if (Array.isArray(value) && items !== undefined) return value.map((item) => mendValue(item, items));
  if (isPlainObject(value) && properties !== undefined) return mendObject(value, schema);
  return value;
}

function mendObject(value: Arguments, schema: JsonSchema): Arguments {
  const mended: [string, unknown][] = [];
  for (const [name, given] of Object.entries(value)) {
    const property = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : undefined;
    if (property === undefined) {
      mended.push([name, given]);
    } else if (given !== null || typesOf(property).includes("null") || schema.required?.includes(name)) {
      mended.push([name, mendValue(given, property)]);
    }
  }
  return Object.fromEntries(mended);
}

/**
 * Arguments as they were meant, led by the schema: `null` for an optional argument is absence, digits for a number,
 * `"true"` and `"false"` for a boolean, JSON text for an object or array are read as such. Nothing else is changed.
 */
export function mendArguments(given: Arguments | null | undefined, schema: JsonSchema): Arguments {
  return mendObject(given ?? {}, schema);
}

function schemaAt(path: readonly PropertyKey[], schema: JsonSchema): JsonSchema | undefined {
  let at: JsonSchema | undefined = schema;
  for (const step of path) {
    if (typeof step === "number") at = at?.items;
    else at = at?.properties?.[String(step)];
  }
  return at;
}

function valueAt(path: readonly PropertyKey[], value: unknown): unknown {
  let at = value;
  for (const step of path) at = (at as Record<PropertyKey, unknown> | undefined)?.[step];
  return at;
}

function nameOf(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => (typeof step === "number" ? `[${step}]` : `${index ? "." : ""}${String(step)}`))
    .join("");
}

function rangeOf(min: number | undefined, max: number | undefined, unit: string): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}${unit}`;
  if (min !== undefined) return ` of at least ${min}${unit}`;
  return max === undefined ? "" : ` of at most ${max}${unit}`;
}

/** What a schema accepts, in words. */
function describe(schema: JsonSchema | undefined): string {
  if (schema === undefined) return "another value";
  if (schema.enum !== undefined)
    return `one of ${schema.enum.map((value) => JSON.stringify(value)).join(", ")}`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const [type] = typesOf(schema);
  switch (type) {
    case "integer":
      return `a whole number${rangeOf(schema.minimum, schema.maximum, "")}`;
    case "number":
      return `a number${rangeOf(schema.minimum, schema.maximum, "")}`;
    case "boolean":
      return "true or false";
    case "array":
      return `a list${rangeOf(schema.minItems, schema.maxItems, " items")}`;
    case "object":
      return "an object";
    default:
      return `text${rangeOf(schema.minLength, schema.maxLength, " characters")}`;
  }
}

function show(value: unknown): string {
  return typeof value === "string" ? quote(value) : quote(JSON.stringify(value) ?? "nothing").slice(1, -1);
}

/** The accepted name that was probably meant by a misspelt one. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const nearest = closest(name, [...names]);
  const isNear = distance(name, nearest) <= Math.ceil(name.length / 2);
  return isNear ? nearest : names.find((other) => other.includes(name) || name.includes(other));
}

interface Problem {
  readonly argument: string;
  readonly problem: string;
  readonly next: string;
}

function unknownNames(keys: readonly string[], path: readonly PropertyKey[], schema: JsonSchema): Problem {
  const accepted = Object.keys(schemaAt(path, schema)?.properties ?? {});
  const unknown = keys[0] ?? "";
  const nearest = nearestName(unknown, accepted);
  const place = path.length === 0 ? "" : ` in ${nameOf(path)}`;
  const list = accepted.length === 0 ? "none is accepted" : `accepted are ${accepted.join(", ")}`;
  return {
    argument: "",
    problem: `unknown argument ${keys.map(quote).join(", ")}${place}; ${list}`,
    next:
      nearest === undefined
        ? `Call again without ${quote(unknown)}.`
        : `Call again with ${nearest} in place of ${quote(unknown)}.`,
  };
}

function problemOf(issue: z.core.$ZodIssue, given: Arguments, schema: JsonSchema): Problem {
  if (issue.code === "unrecognized_keys") return unknownNames(issue.keys, issue.path, schema);
  const argument = nameOf(issue.path);
  const expected = describe(schemaAt(issue.path, schema));
  const value = valueAt(issue.path, given);
  const next = `Call again with ${argument} as ${expected}.`;
  if (value === undefined) return { argument, problem: `is missing; it must be ${expected}`, next };
  if (issue.code === "custom" || issue.code === "invalid_format") {
    return {
      argument,
      problem: `${issue.message}, not ${show(value)}`,
      next: `Call again with another ${argument}.`,
    };
  }
  return { argument, problem: `must be ${expected}, not ${show(value)}`, next };
}

const problemsShown = 3;

/**
 * Mends and parses the arguments of a call. Throws INVALID_ARGUMENT, naming each wrong argument, its value and what
 * is accepted.
 */
export function parseArguments<Input extends z.ZodObject>(
  given: Arguments | null | undefined,
  input: Input,
  schema: JsonSchema,
): z.output<Input> {
  const mended = mendArguments(given, schema);
  const parsed = input.safeParse(mended);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => problemOf(issue, mended, schema));
  const [first, ...others] = problems.slice(0, problemsShown);
  if (first === undefined) throw new TypeError("a failed parse without an issue");
  const also = others
    .map(({ argument, problem }) => `; ${argument === "" ? "" : `${argument}: `}${problem}`)
    .join("");
  throw new CoreFailure("INVALID_ARGUMENT", { ...first, problem: `${first.problem}${also}` });
}
