import { VaultError } from "../errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { findValues } from "../note/property.ts";
import { compareScalars, equalScalars, isScalar, type Scalar } from "../note/scalar.ts";

/** One entry of `filters`: a key and what must hold for its values. */
export interface Condition {
  readonly key: string;
  readonly operator: Operator;
  readonly operands: readonly Scalar[];
}

const operators = ["eq", "ne", "in", "gt", "gte", "lt", "lte", "exists"] as const;

export type Operator = (typeof operators)[number];

const anyOperator = operators.join(", ");

function refuse(key: string, problem: string, next?: string): never {
  throw new VaultError("INVALID_ARGUMENT", {
    argument: `filters.${key}`,
    problem,
    next:
      next ?? `Call again with a text, number, boolean or list for ${key}, or an object of ${anyOperator}.`,
  });
}

/**
 * Reads the `filters` argument. A plain value is `eq`, a list means all of its values, `null` means that there is
 * no value.
 *
 * @throws VaultError INVALID_ARGUMENT for an unknown operator or an operand of the wrong kind.
 */
export function parseFilters(filters: JsonObject): Condition[] {
  return Object.entries(filters).flatMap(([key, value]) => {
    if (key === "") refuse(key, "the key is empty");
    if (!isJsonObject(value)) return [parseCondition(key, "eq", value)];
    const entries = Object.entries(value);
    if (entries.length === 0) refuse(key, "the object has no operator in it");
    return entries.map(([name, operand]) => {
      const operator = operators.find((candidate) => candidate === name);
      if (operator === undefined) {
        const nested = JSON.stringify(`${key}.${name}`.slice(0, 100).toWellFormed());
        refuse(
          key,
          `unknown operator ${JSON.stringify(name.slice(0, 50))}; known are ${anyOperator}`,
          `Call again with one of these, or with ${nested} as the key where it is a nested one.`,
        );
      }
      return parseCondition(key, operator, operand);
    });
  });
}

function parseCondition(key: string, operator: Operator, operand: Json): Condition {
  if (operator === "exists") {
    const wanted = typeof operand === "string" ? { true: true, false: false }[operand] : operand;
    if (typeof wanted !== "boolean") refuse(key, "exists takes true or false");
    return { key, operator, operands: [wanted] };
  }
  if (operand === null && (operator === "eq" || operator === "ne")) {
    return { key, operator: "exists", operands: [operator === "ne"] };
  }
  if (Array.isArray(operand)) {
    if (operator !== "eq" && operator !== "ne" && operator !== "in")
      refuse(key, `${operator} takes one value`);
    if (operand.length === 0) refuse(key, "the list is empty");
    if (!operand.every(isScalar)) refuse(key, "the list may hold texts, numbers and booleans only");
    return { key, operator, operands: operand };
  }
  if (operator === "in") refuse(key, "in takes a list");
  if (!isScalar(operand)) refuse(key, `${operator} takes a text, a number or a boolean`);
  return { key, operator, operands: [operand] };
}

/** Whether a condition holds for a key's values, which are none where the key is absent. */
export function holds(
  { operator, operands }: Condition,
  values: readonly Scalar[],
  exists: boolean,
): boolean {
  const has = (wanted: Scalar) => values.some((value) => equalScalars(value, wanted));
  const compares = (fits: (order: number) => boolean) =>
    values.some((value) => operands.some((operand) => fits(compareScalars(value, operand))));
  switch (operator) {
    case "eq":
      return operands.every(has);
    case "ne":
      return !operands.every(has);
    case "in":
      return operands.some(has);
    case "exists":
      return exists === operands[0];
    case "gt":
      return compares((order) => order > 0);
    case "gte":
      return compares((order) => order >= 0);
    case "lt":
      return compares((order) => order < 0);
    case "lte":
      return compares((order) => order <= 0);
  }
}

/** Whether a condition holds for a note's frontmatter. */
export function matchesFrontmatter(condition: Condition, frontmatter: JsonObject): boolean {
  const { scalars, exists } = findValues(frontmatter, condition.key);
  return holds(condition, scalars, exists);
}
