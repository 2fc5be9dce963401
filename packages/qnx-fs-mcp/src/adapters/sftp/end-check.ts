import type { RawEntry } from "../../domain/remote-files.ts";
import { EndlessDirectory } from "./sftp-failure.ts";

/** Batches that may bring nothing new, and entries that a directory may have. */
const mostVain = 200;
const mostEntries = 2_000_000;

/** Fails with EndlessDirectory once the batches of a directory that it is given cannot be thought to come to an end. */
export function createEndCheck(): (batch: readonly RawEntry[]) => void {
  let first: readonly RawEntry[] | undefined;
  let vain = 0;
  let entries = 0;
  return (batch) => {
    // A union directory may bring the names of another one once more, but not for ever.
    if (batch.length === 0 || (first !== undefined && sameNames(batch, first))) vain++;
    first ??= batch;
    entries += batch.length;
    if (vain > mostVain || entries > mostEntries) {
      throw new EndlessDirectory(
        vain > mostVain ? "the same entries again and again" : "entries without an end",
      );
    }
  };
}

function sameNames(a: readonly RawEntry[], b: readonly RawEntry[]): boolean {
  return a.length === b.length && a.every(({ name }, index) => name === b[index]?.name);
}
