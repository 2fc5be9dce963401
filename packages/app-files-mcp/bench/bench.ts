import { join } from "node:path";
import { openDatabase } from "@mcp-file-servers/sqlite";
import { createSqliteStore, databaseName } from "../src/adapters/sqlite/sqlite-store.ts";
import { describeContent } from "../src/domain/content.ts";
import { defaultRetention } from "../src/domain/limits.ts";
import type { ListPosition, ListQuery } from "../src/domain/listing.ts";
import { readVerified } from "../src/domain/read-window.ts";
import type { FileStore } from "../src/domain/store.ts";
import { benchChanges } from "./bench-changes.ts";
import { fillApp } from "./fill-app.ts";
import { openFloor } from "./floor.ts";
import { median, quantile, timeEach } from "./measure.ts";
import { unlimited } from "./unlimited.ts";

interface Line {
  readonly what: string;
  readonly measured: string;
  readonly goal: string;
}

/** Runs all benchmarks at the store's port and prints one table. */
export async function runBenchmarks({ folder, version }: { folder: string; version: string }): Promise<void> {
  let names = 0;
  const store = createSqliteStore({
    folder,
    limits: unlimited,
    retention: defaultRetention,
    now: Date.now,
    nextName: () => `bench-${names++}`,
    onError: console.error,
  });
  await store.find("large", "x");
  const database = await openDatabase(join(folder, databaseName), { synchronous: "FULL" });
  await fillApp(database, folder, "small", 1_000);
  await fillApp(database, folder, "large", 100_000);

  const lines = [
    ...(await benchListing(store)),
    ...(await benchWrites(store, folder)),
    ...(await benchReading(store)),
    ...(await benchChanges(store, database, folder)),
  ];
  store.close();
  database.close();
  const rows = lines.map(({ what, measured, goal }) => `| ${what} | ${measured} | ${goal} |`);
  console.log(
    `Node ${version}, ${database.engine}; \`node packages/app-files-mcp/bench/run.mjs\`\n\n| what | measured | goal |\n|---|---|---|\n${rows.join("\n")}`,
  );
}

const ms = (value: number) => `${value.toFixed(2)} ms`;

function pageOf(app: string, after?: ListPosition, more: Partial<ListQuery> = {}): ListQuery {
  return {
    app,
    filter: {},
    view: { kind: "files", sort: "path", order: "asc", folders: false },
    limit: 200,
    after,
    ...more,
  };
}

async function benchListing(store: FileStore): Promise<Line[]> {
  // Somewhere in the middle, another page each time.
  const at = (n: number): ListPosition => ({ group: "file", rank: 0, path: `folder-${(n * 7) % 100}/` });
  const times: Record<"small" | "large", number[]> = { small: [], large: [] };
  for (let round = 0; round < 10; round++) {
    for (const app of ["small", "large"] as const) {
      times[app].push(...(await timeEach(30, (n) => store.list(pageOf(app, at(n))))));
    }
  }
  let pages = 0;
  let full = 0;
  const [walk = 0] = await timeEach(1, async () => {
    let after: ListPosition | undefined;
    for (let more = true; more; pages++) {
      const page = await store.list(pageOf("large", after));
      full += page.entries.length === 200 ? 1 : 0;
      after = page.entries.at(-1)?.position;
      more = page.more;
    }
  });
  const filtered = async (query: Partial<ListQuery>) => {
    const [first = 0, ...later] = await timeEach(11, () => store.list(pageOf("large", undefined, query)));
    return `first ${ms(first)}, then p50 ${ms(median(later))}`;
  };
  const ratio = median(times.large) / median(times.small);
  return [
    { what: "page of 200 of 1,000 files, p50", measured: ms(median(times.small)), goal: "" },
    { what: "page of 200 of 100,000 files, p50", measured: ms(median(times.large)), goal: "≤ 5 ms" },
    { what: "the same, p95", measured: ms(quantile(times.large, 0.95)), goal: "" },
    { what: "100,000 against 1,000", measured: `${ratio.toFixed(2)} times`, goal: "≤ 1.5 times" },
    {
      what: "walk of 100,000",
      measured: `${pages} pages, ${full} of them full, ${ms(walk / pages)} each`,
      goal: "each full",
    },
    {
      what: "pattern `*7.txt` over 100,000",
      measured: await filtered({ filter: { pattern: "*7.txt" } }),
      goal: "",
    },
    {
      what: "folders of 100,000",
      measured: await filtered({ view: { kind: "files", sort: "path", order: "asc", folders: true } }),
      goal: "",
    },
    {
      what: "by size, of 100,000",
      measured: await filtered({ view: { kind: "files", sort: "size", order: "desc", folders: false } }),
      goal: "",
    },
  ];
}

/** Rounds of acknowledged writes and of the floors take turns, so that a slow disk is slow for all. */
async function benchWrites(store: FileStore, folder: string): Promise<Line[]> {
  const floor = await openFloor(join(folder, "floor.db"));
  const rates: Record<"store" | "commit" | "row", number[]> = { store: [], commit: [], row: [] };
  const perRound = 200;
  let count = 0;
  const bytesOf = (n: number) => Buffer.from(String(n).padEnd(1024, "."));
  const rate = async (write: (n: number) => Promise<unknown>) => {
    const taken = await timeEach(perRound, () => write(count++));
    return (perRound * 1000) / taken.reduce((sum, time) => sum + time, 0);
  };
  for (let round = 0; round < 12; round++) {
    rates.row.push(await rate((n) => floor.writeRow(bytesOf(n))));
    rates.commit.push(await rate((n) => floor.writeSame(n, bytesOf(n))));
    rates.store.push(
      await rate((n) => {
        const bytes = bytesOf(n);
        const facts = describeContent(bytes);
        const path = `written/${n}.txt`;
        return store.write({
          app: "writes",
          path,
          bytes,
          facts,
          detectedMime: "text/plain",
          client: "bench",
        });
      }),
    );
  }
  floor.close();
  const against = (other: readonly number[]) =>
    `${median(rates.store.map((each, round) => each / (other[round] ?? Number.NaN))).toFixed(2)} times`;
  const perSecond = (values: readonly number[]) => `${Math.round(median(values))} a second`;
  return [
    { what: "1 KiB writes, acknowledged", measured: perSecond(rates.store), goal: "≥ 300 a second" },
    { what: "bare floor: the same rows and commit by hand", measured: perSecond(rates.commit), goal: "" },
    { what: "writes against that floor", measured: against(rates.commit), goal: "≥ 0.6 times" },
    { what: "for comparison: one row of 1 KiB, no index", measured: perSecond(rates.row), goal: "" },
    { what: "writes against that", measured: against(rates.row), goal: "" },
  ];
}

async function benchReading(store: FileStore): Promise<Line[]> {
  const size = 64 * 1024 * 1024;
  const window = 1024 * 1024;
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at += 8) bytes.writeDoubleLE(at * 1.1, at);
  const facts = describeContent(bytes);
  await store.write({ app: "reads", path: "f", bytes, facts, detectedMime: "x/y", client: "bench" });
  const rates = await timeEach(5, async () => {
    for (let offset = 0; offset < size; offset += window) {
      await readVerified(await store.open("reads", "f"), offset, window);
    }
  });
  const rate = size / 1_000_000 / (median(rates) / 1000);
  return [
    {
      what: "64 MiB in windows of 1 MiB, verified",
      measured: `${Math.round(rate)} MB/s`,
      goal: "≥ 200 MB/s",
    },
  ];
}
