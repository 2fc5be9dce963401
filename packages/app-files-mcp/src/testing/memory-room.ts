import { AppFilesError } from "../domain/errors.ts";
import type { MemoryApp, MemoryVersion } from "./memory-state.ts";

export type DroppedVersions = ReadonlySet<MemoryVersion>;

/** A content that comes. */
export interface Added {
  readonly sha256: string;
  readonly size: number;
}

/**
 * The history that is given up, oldest first, so that a content can be added. `replaced` is what becomes history by
 * that; `others` are the sizes of contents that are no files, by SHA-256.
 *
 * @throws AppFilesError LIMIT_EXCEEDED when that is not enough.
 */
export function versionsToDrop(
  apps: ReadonlyMap<string, MemoryApp>,
  others: ReadonlyMap<string, number>,
  added: Added,
  replaced: MemoryVersion | undefined,
  storeBytes: number,
): DroppedVersions {
  const kept = [...apps.values()].flatMap((app) => [...app.files.values()].flatMap((file) => file.versions));
  const timeOf = ({ replacedAt }: MemoryVersion) => replacedAt ?? Number.MAX_SAFE_INTEGER;
  const old = kept
    .filter((version) => version.replacedAt !== undefined || version === replaced)
    .sort((a, b) => timeOf(a) - timeOf(b));
  const dropped = new Set<MemoryVersion>();
  const physical = () => {
    const sizes = new Map([...others, [added.sha256, added.size]]);
    for (const version of kept) {
      if (!dropped.has(version) && version.content) {
        sizes.set(version.content.facts.sha256, version.content.facts.size);
      }
    }
    return [...sizes.values()].reduce((sum, size) => sum + size, 0);
  };
  for (const version of old) {
    if (physical() <= storeBytes) break;
    dropped.add(version);
  }
  const wanted = physical();
  if (wanted > storeBytes) {
    throw new AppFilesError("LIMIT_EXCEEDED", { limit: "store_bytes", allowed: storeBytes, wanted });
  }
  return dropped;
}
