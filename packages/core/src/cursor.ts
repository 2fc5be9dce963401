import { createHash } from "node:crypto";
import type * as z from "zod";
import { CoreFailure } from "./failure.ts";
import type { Json } from "./json.ts";

/**
 * Cursors: opaque, URL-safe text `1` + binding (8) + check (6) + payload, the latter three in base64url. The payload
 * is the position to continue after, with what the walk remembers from its first page. The binding is a hash of the
 * query, so that a cursor of another query is told from a damaged one, and neither is ever an empty page.
 */
const version = "1";
const bindingLength = 8;
const checkLength = 6;

function hash(text: string, length: number): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, length);
}

/** JSON with sorted keys: equal queries give equal text, in whatever order their arguments came. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** What a cursor is bound to: a tool (or list) and the arguments that decide which items it returns. */
export interface Query {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A position in a walk. */
export interface Position<Key, Walk> {
  readonly key: Key;
  readonly walk: Walk;
}

/** The cursor that continues `query` after `position`. */
export function encodeCursor(query: Query, position: Position<Json, Json | undefined>): string {
  const { key, walk } = position;
  const binding = hash(canonical([query.name, query.args]), bindingLength);
  const payload = Buffer.from(JSON.stringify(walk === undefined ? [key] : [key, walk])).toString("base64url");
  return `${version}${binding}${hash(binding + payload, checkLength)}${payload}`;
}

function refuse(reason: string): never {
  throw new CoreFailure("INVALID_CURSOR", { reason });
}

/** The position that a cursor of this query holds. Throws INVALID_CURSOR for any other text. */
export function decodeCursor<KeySchema extends z.ZodType, WalkSchema extends z.ZodType>(
  cursor: string,
  query: Query,
  schemas: { readonly key: KeySchema; readonly walk?: WalkSchema | undefined },
): Position<z.output<KeySchema>, z.output<WalkSchema>> {
  if (!/^1[A-Za-z0-9_-]{16,}$/.test(cursor)) refuse("this is no cursor of this server");
  const binding = cursor.slice(1, 1 + bindingLength);
  const check = cursor.slice(1 + bindingLength, 1 + bindingLength + checkLength);
  const payload = cursor.slice(1 + bindingLength + checkLength);
  if (check !== hash(binding + payload, checkLength)) refuse("this cursor is damaged or was cut off");
  if (binding !== hash(canonical([query.name, query.args]), bindingLength)) {
    refuse("this cursor belongs to another query; only the page size may change within a walk");
  }
  const [key, walk] = JSON.parse(Buffer.from(payload, "base64url").toString()) as Json[];
  const parsedKey = schemas.key.safeParse(key);
  const parsedWalk = schemas.walk?.safeParse(walk);
  if (!parsedKey.success || parsedWalk?.success === false)
    refuse("this cursor was made by another version of this server");
  return { key: parsedKey.data, walk: parsedWalk?.data as z.output<WalkSchema> };
}
