import { VaultError } from "../errors.ts";
import type { ListWalk } from "./listing.ts";

/** @throws VaultError INVALID_CURSOR for a walk that began in another life of the index. */
export function checkWalk(walk: ListWalk | undefined, epoch: string): void {
  if (walk !== undefined && walk.epoch !== epoch) {
    throw new VaultError("INVALID_CURSOR", {
      reason: "the server was started again since the first page, and this order can have changed",
    });
  }
}
