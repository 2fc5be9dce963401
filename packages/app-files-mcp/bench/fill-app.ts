import { type Database, migrate } from "@mcp-file-servers/sqlite";
import { createBlobFolder } from "../src/adapters/blob-folder.ts";
import { applyWrite, storeContent } from "../src/adapters/sqlite/apply-write.ts";
import { readWriteState } from "../src/adapters/sqlite/read-state.ts";
import { schemaSteps } from "../src/adapters/sqlite/schema.ts";
import { describeContent } from "../src/domain/content.ts";
import { defaultRetention } from "../src/domain/limits.ts";
import { planWrite } from "../src/domain/plan-write.ts";
import { unlimited } from "./unlimited.ts";

/** Writes `count` small files of one app by the store's own steps, but thousands in one commit. */
export async function fillApp(database: Database, folder: string, app: string, count: number): Promise<void> {
  await migrate(database, schemaSteps);
  const blobs = createBlobFolder(folder, () => "bench");
  const step = 5_000;
  for (let from = 0; from < count; from += step) {
    await database.write((writer) => {
      for (let n = from; n < Math.min(from + step, count); n++) {
        const path = `folder-${n % 100}/document number ${n}.txt`;
        const bytes = Buffer.from(`content ${n}`);
        const facts = describeContent(bytes);
        const found = readWriteState(writer, app, path);
        const order = { app, path, size: facts.size, sha256: facts.sha256, detectedMime: "text/plain" };
        const plan = planWrite(order, found.state, { limits: unlimited, retention: defaultRetention }, n);
        const added = storeContent(writer, blobs, facts, bytes);
        applyWrite(writer, plan, found, { action: "write", client: "bench" }, added);
      }
    });
  }
}
