/** What a call does to the world: `read` nothing, `create` adds, `overwrite` may replace, `delete` takes away. */
export type Effect = "read" | "create" | "overwrite" | "delete";

/** The four hints of MCP's ToolAnnotations, always all of them. Source: MCP 2025-11-25, ToolAnnotations. */
export interface Hints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** The hints of an effect; `idempotent` counts for `create` and `overwrite` alone, the other two always are. */
export function hintsOf(effect: Effect, idempotent = false): Hints {
  return {
    readOnlyHint: effect === "read",
    destructiveHint: effect === "overwrite" || effect === "delete",
    idempotentHint: effect === "read" || effect === "delete" || idempotent,
    openWorldHint: false,
  };
}
