/** What a statement's `?` can be given. */
export type Parameter = string | number | bigint | boolean | Date | Uint8Array | null | undefined;

/** What both engines take without harm. */
export type BoundValue = string | number | bigint | Uint8Array | null;

/**
 * Parameters in the form that both engines take: booleans as 0 and 1, dates as milliseconds since 1970, whole
 * numbers as integers (both engines would bind them as reals), undefined as NULL. libsql would end the process at
 * a boolean or a date.
 *
 * @throws TypeError for NaN and infinities, for whole numbers beyond 2^53, which would not come back exactly, and
 * for text with a NUL character, which libsql cuts off there when it is read.
 */
export function bindable(parameters: readonly Parameter[]): BoundValue[] {
  return parameters.map(bindableValue);
}

function bindableValue(value: Parameter): BoundValue {
  switch (typeof value) {
    case "undefined":
      return null;
    case "boolean":
      return value ? 1n : 0n;
    case "number":
      return bindableNumber(value);
    case "string":
      if (value.includes("\0")) throw new TypeError("Text with a NUL character cannot be bound: use bytes");
      return value;
    case "bigint":
      return bindableInteger(value);
    default:
      if (value instanceof Date) return bindableNumber(value.getTime());
      if (value === null || value instanceof Uint8Array) return value;
      throw new TypeError(`A value of this kind cannot be bound: ${String(value)}`);
  }
}

function bindableNumber(value: number): BoundValue {
  if (!Number.isFinite(value)) throw new TypeError(`A number that is not finite cannot be bound: ${value}`);
  return Number.isInteger(value) ? bindableInteger(BigInt(value)) : value;
}

function bindableInteger(value: bigint): bigint {
  const limit = BigInt(Number.MAX_SAFE_INTEGER);
  if (value > limit || value < -limit) {
    throw new TypeError(`An integer beyond 2^53 cannot be bound: ${value}`);
  }
  return value;
}

/** How many `?` a statement has, outside of texts, names and comments. */
export function countPlaceholders(sql: string): number {
  const outside = sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\//g, "");
  return outside.split("?").length - 1;
}
