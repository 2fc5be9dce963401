import { expect, test } from "vitest";
import { type Effect, hintsOf } from "./effect.ts";

test.each<[Effect, boolean, string]>([
  ["read", false, "read-only idempotent"],
  ["create", false, ""],
  ["create", true, "idempotent"],
  ["overwrite", false, "destructive"],
  ["overwrite", true, "destructive idempotent"],
  ["delete", false, "destructive idempotent"],
])("%s (idempotent: %s) is %s", (effect, idempotent, words) => {
  expect(hintsOf(effect, idempotent)).toEqual({
    readOnlyHint: words.includes("read-only"),
    destructiveHint: words.includes("destructive"),
    idempotentHint: words.includes("idempotent"),
    openWorldHint: false,
  });
});
