import { nearestName } from "./nearest-name.ts";

/** Something wrong in a configuration. The path leads to the key or value; values are told only where they cannot be secrets. */
export interface ConfigProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

const secretKeys = /pass|secret|token|private/i;

/** Reads the fields of one mapping, collecting everything that is wrong with them. */
export class ConfigFields {
  readonly path: readonly (string | number)[];
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #problems: ConfigProblem[];

  /** `undefined` and `null` stand for an empty mapping. */
  constructor(
    value: unknown,
    path: readonly (string | number)[],
    accepted: readonly string[],
    problems: ConfigProblem[],
  ) {
    this.path = path;
    this.#problems = problems;
    this.#fields = isMapping(value) ? value : {};
    if (value !== undefined && value !== null && !isMapping(value)) {
      this.#report(path, `must be a mapping of ${accepted.join(", ")}`);
    }
    for (const key of Object.keys(this.#fields)) {
      if (!accepted.includes(key)) this.#report([...path, key], unknownKey(key, accepted));
    }
  }

  has(key: string): boolean {
    return this.#fields[key] !== undefined && this.#fields[key] !== null;
  }

  /** The value of a key as it is, for what has a reader of its own. */
  value(key: string): unknown {
    return this.#fields[key] ?? undefined;
  }

  /** A text; `wanted` says what it must be where it does not pass. */
  text(key: string, passes: (text: string) => boolean, wanted: string): string | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    if (typeof value === "string" && passes(value)) return value;
    const hint = typeof value === "number" ? " (put it in quotes)" : "";
    this.problem(key, `must be ${wanted}${hint}`);
    return undefined;
  }

  integer(key: string, min: number, max: number): number | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value;
    this.problem(key, `must be a whole number from ${min} to ${max}`);
    return undefined;
  }

  flag(key: string): boolean | undefined {
    const value = this.value(key);
    if (value === undefined || typeof value === "boolean") return value as boolean | undefined;
    this.problem(key, "must be true or false");
    return undefined;
  }

  list(key: string, passes: (text: string) => boolean, wanted: string): readonly string[] | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) {
      this.problem(key, `must be a list of ${wanted}`);
      return undefined;
    }
    return value.filter((item: unknown, index): item is string => {
      if (typeof item === "string" && passes(item)) return true;
      this.#report([...this.path, key, index], `must be ${wanted}`);
      return false;
    });
  }

  /** The fields of a mapping within this one. */
  nested(key: string, accepted: readonly string[]): ConfigFields {
    return new ConfigFields(this.value(key), [...this.path, key], accepted, this.#problems);
  }

  problem(key: string | undefined, message: string): void {
    this.#report(key === undefined ? this.path : [...this.path, key], message);
  }

  #report(path: readonly (string | number)[], message: string): void {
    this.#problems.push({ path, message });
  }
}

export function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function unknownKey(key: string, accepted: readonly string[]): string {
  if (secretKeys.test(key)) {
    return "secrets never stand in this file: put it in an environment variable and name that in password_env or passphrase_env";
  }
  const nearest = nearestName(key, accepted);
  return `unknown key${nearest === undefined ? "" : `, perhaps meant ${nearest}`}; accepted: ${accepted.join(", ")}`;
}
