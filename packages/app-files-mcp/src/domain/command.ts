import { createHash } from "node:crypto";
import type { Command } from "./store.ts";

/** The command of a call that has an id; `asked` is all that the call asks for, its kind first. */
export function commandOf(id: string | undefined, asked: readonly unknown[]): Command | undefined {
  if (id === undefined) return undefined;
  const fingerprint = createHash("sha256")
    .update(JSON.stringify(asked, (_, value) => value ?? null))
    .digest("hex");
  return { id, fingerprint };
}
