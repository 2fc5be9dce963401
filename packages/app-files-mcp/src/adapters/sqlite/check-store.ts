import type { Database } from "@mcp-file-servers/sqlite";
import type { CheckOptions, CheckReport } from "../../domain/check.ts";
import type { BlobFolder } from "../blob-folder.ts";
import { checkContents, chunksOf, describeAnew, versionsOf } from "./check-contents.ts";
import { findDatabaseFaults, findLostContents, findWrongSums, repairSums } from "./check-references.ts";
import { collect, emptyTrash } from "./maintain.ts";

const shards = 256;
const namesAtOnce = 100;

/**
 * Verifies every content and every reference, and repairs what the rest of the store tells how to: sums, counts,
 * descriptions, files that nothing needs. Other processes may work on the store meanwhile.
 */
export async function checkStore(
  database: Database,
  blobs: BlobFolder,
  { readOnly, ...options }: CheckOptions & { readonly readOnly: boolean },
): Promise<CheckReport> {
  const faults = await database.read(findDatabaseFaults);
  const { damaged, misdescribed, ...seen } = await checkContents(database, blobs, options);
  const sums = readOnly ? await database.read(findWrongSums) : await database.write(repairSums);
  const descriptions =
    misdescribed.length === 0 ? [] : [`${misdescribed.length} contents that were described wrongly`];
  if (!readOnly) {
    for (const facts of misdescribed) await database.write((writer) => describeAnew(writer, facts));
  }
  const orphans = readOnly ? 0 : await collectAll(database, blobs, options);
  const files = orphans === 0 ? [] : [`${orphans} files of contents that nothing needs`];
  const lost = [...damaged, ...(await database.read(findLostContents))];
  const [versions, chunks] = await database.read((reader) => [
    lost.flatMap((sha256) => versionsOf(reader, sha256)),
    lost.flatMap((sha256) => chunksOf(reader, sha256)),
  ]);
  return {
    ...seen,
    damaged: versions,
    damagedChunks: chunks,
    database: faults,
    repaired: [...sums, ...descriptions, ...files],
  };
}

async function collectAll(database: Database, blobs: BlobFolder, { signal }: CheckOptions): Promise<number> {
  while (await database.write((writer) => emptyTrash(writer, blobs), { signal }));
  let removed = 0;
  for (let shard = 0; shard < shards; shard++) {
    const names = await blobs.namesIn(shard);
    for (let at = 0; at < names.length; at += namesAtOnce) {
      removed += await collect(database, blobs, names.slice(at, at + namesAtOnce), { signal });
    }
  }
  return removed;
}
