import type { Access, Readiness } from "@mcp-file-servers/core";
import { describeFailure } from "./describe-failure.ts";
import { AppFilesError } from "./domain/errors.ts";
import type { FileStore } from "./domain/store.ts";

/** Whether the store can be used now. */
export async function readinessOf(store: Pick<FileStore, "totals">): Promise<Readiness> {
  try {
    await store.totals();
    return { ready: true, reasons: [] };
  } catch (error) {
    if (!(error instanceof AppFilesError)) throw error;
    return { ready: false, reasons: [describeFailure(error).what] };
  }
}

/**
 * Sizes for the metrics. They are of all apps, so that a caller who is limited to some is told none; none either while the
 * store cannot be used, which `readinessOf` tells.
 */
export async function gaugesOf(
  store: Pick<FileStore, "totals">,
  { scope }: Access,
): Promise<Record<string, number>> {
  if (scope.apps !== undefined) return {};
  try {
    const { apps, files, bytes, historyBytes, physicalBytes, uploads } = await store.totals();
    return {
      app_files_apps: apps,
      app_files_files: files,
      app_files_bytes: bytes,
      app_files_history_bytes: historyBytes,
      app_files_store_bytes: physicalBytes,
      app_files_open_uploads: uploads,
    };
  } catch (error) {
    if (error instanceof AppFilesError) return {};
    throw error;
  }
}
