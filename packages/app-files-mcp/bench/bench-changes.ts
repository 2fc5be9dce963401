import type { Database } from "@mcp-file-servers/sqlite";
import { describeContent } from "../src/domain/content.ts";
import { searchFiles } from "../src/domain/search-files.ts";
import type { FileStore } from "../src/domain/store.ts";
import { fillApp } from "./fill-app.ts";
import { median, timeEach } from "./measure.ts";

const ms = (value: number) => `${value.toFixed(1)} ms`;

/** Changes of many files at once, copies of large ones, and searches. */
export async function benchChanges(store: FileStore, database: Database, folder: string) {
  const app = "many";
  await fillApp(database, folder, app, 2_000);
  const by = { app, prefix: "", client: "bench" };
  const [rehearsal = 0] = await timeEach(1, () => store.removeAll({ ...by, dryRun: true }));
  const [removal = 0] = await timeEach(1, () => store.removeAll({ ...by, expectedCount: 2_000 }));
  const [restoration = 0] = await timeEach(1, () => store.restoreAll({ ...by, asOf: 2_000 }));

  const size = 64 * 1024 * 1024;
  const bytes = Buffer.alloc(size, "a line of some text, as logs have them\n");
  const facts = describeContent(bytes);
  await store.write({ app: "text", path: "log", bytes, facts, detectedMime: "text/plain", client: "bench" });
  const copies = await timeEach(10, (n) =>
    store.copy({
      ...{ app: "text", path: "log", newApp: "copies", newPath: `log ${n}` },
      ...{ overwrite: false, client: "bench" },
    }),
  );
  const search = (name: string, ignoreCase: boolean) =>
    timeEach(3, () =>
      searchFiles({ app: name, text: { text: "Nowhere", ignoreCase }, filter: {}, limit: 50 }, store, {
        bytes: 2 * size,
        ms: 60_000,
        now: performance.now.bind(performance),
      }),
    );
  const rate = (times: readonly number[]) => `${Math.round(size / 1_000 / median(times))} MB/s`;
  const small = await search(app, false);
  return [
    { what: "deletion of 2,000 files, dry run", measured: ms(rehearsal), goal: "" },
    { what: "the same, done", measured: ms(removal), goal: "" },
    { what: "restoration of them as_of", measured: ms(restoration), goal: "" },
    { what: "copy of 64 MiB, p50", measured: ms(median(copies)), goal: "" },
    { what: "search through 64 MiB", measured: rate(await search("text", false)), goal: "" },
    { what: "the same, ignoring case", measured: rate(await search("text", true)), goal: "" },
    { what: "search through 2,000 small files", measured: ms(median(small)), goal: "" },
  ];
}
