import * as z from "zod";

/** The part of JSON Schema that a definition may use. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
}

/** A schema while it is being rewritten. */
interface Draft {
  type?: string | string[];
  anyOf?: Draft[];
  enum?: unknown[];
  propertyNames?: unknown;
  minimum?: number;
  maximum?: number;
  [key: string]: unknown;
}

const unportable = ["anyOf", "oneOf", "allOf", "not", "if", "$ref", "$defs", "propertyNames"];

/**
 * The JSON Schema of a tool's arguments (`input`) or answer (`output`), in the form that every client accepts:
 * an object at the top, no unions or references, null as a second type, integers with their real bounds.
 * A schema that cannot be put so is a TypeError.
 */
export function emitSchema(schema: z.ZodObject, io: "input" | "output"): JsonSchema {
  const emitted = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      makePortable(jsonSchema as Draft);
      // An answer may get fields later: a client that kept a closed schema would refuse it for them.
      if (io === "output" && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
    },
  }) as Draft;
  delete emitted.$schema;
  if (emitted.type !== "object") throw new TypeError("a tool's schema must be an object");
  emitted.properties ??= {};
  refuseUnportable(emitted, "");
  return emitted as JsonSchema;
}

function makePortable(draft: Draft): void {
  delete draft.propertyNames;
  if (draft.minimum === Number.MIN_SAFE_INTEGER) delete draft.minimum;
  if (draft.maximum === Number.MAX_SAFE_INTEGER) delete draft.maximum;
  const [first, second, ...others] = draft.anyOf ?? [];
  if (first !== undefined && second?.type === "null" && others.length === 0) {
    delete draft.anyOf;
    Object.assign(draft, { ...first, ...draft });
    draft.type = [...[first.type ?? []].flat(), "null"];
    if (first.enum !== undefined) draft.enum = [...first.enum, null];
  }
}

function refuseUnportable(node: unknown, path: string): void {
  if (typeof node !== "object" || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    // Below `properties` the keys are names of arguments, not keywords.
    const isName = path.endsWith("/properties") || path === "/properties";
    if (!isName && unportable.includes(key)) throw new TypeError(`schema uses ${key} at ${path || "/"}`);
    refuseUnportable(value, `${path}/${key}`);
  }
}
