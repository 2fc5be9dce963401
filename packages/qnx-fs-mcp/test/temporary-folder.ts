import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** A folder of its own for a test, by its real path; `remove` takes it away with all that is in it. */
export async function temporaryFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "qnx-fs-")));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
