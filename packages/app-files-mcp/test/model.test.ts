import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSqliteStore } from "../src/adapters/sqlite/sqlite-store.ts";
import { defaultLimits } from "../src/domain/limits.ts";
import type { FileStore } from "../src/domain/store.ts";
import { createMemoryStore } from "../src/testing/memory-store.ts";
import { createToolBench, type ToolBench } from "../src/testing/tool-bench.ts";
import { appList } from "../src/tools/app-list.ts";
import { fileList } from "../src/tools/file-list.ts";
import { fileRead } from "../src/tools/file-read.ts";
import { AppModel, Refused } from "./model/app-model.ts";
import { appNames, type Models, type Operation, operations } from "./model/operations.ts";

const limits = { ...defaultLimits, app_bytes: 60, app_files: 5 };
// No history is given up, so that the model need not know when.
const setting = { limits, retention: { versions: 10_000, days: 30 }, now: () => Date.UTC(2031, 1, 3) };

async function onDisk(): Promise<{ store: FileStore; dispose(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "app-files-model-"));
  let names = 0;
  const onError = (error: unknown) => {
    throw error;
  };
  const store = createSqliteStore({ ...setting, folder, nextName: () => `model-${names++}`, onError });
  return { store, dispose: () => rm(folder, { recursive: true }) };
}

/** Calls the tool and asks the model; both must do it, or both must refuse. */
async function perform(bench: ToolBench, models: Models, operation: Operation): Promise<void> {
  const args = { ...operation.args, ...operation.more?.(models) };
  let isRefused = false;
  try {
    operation.apply(models);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    isRefused = true;
  }
  if (isRefused) await bench.refusal(operation.tool, args);
  else await bench.call(operation.tool, args);
}

async function compare(bench: ToolBench, models: Models): Promise<void> {
  for (const app of appNames) {
    const model = models[app] ?? new AppModel({ bytes: 0, files: 0 });
    const { entries, fields } = await bench.call(fileList, { app });
    const listed = entries.map(({ entry: { path, size, version } }: { entry: Record<string, unknown> }) => [
      ...[path, size, version],
    ]);
    const expected = [...model.files].map(([path, { text, version }]) => [path, text.length, version]);
    expect(listed).toEqual(expected.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
    expect(fields.usage).toMatchObject(model.usage);
    expect(fields.files_version).toBe(model.states.length - 1);
    for (const [path, { text }] of model.files) {
      expect((await bench.call(fileRead, { app, path })).text).toBe(text);
    }
  }
  const { entries } = await bench.call(appList, {});
  const names = entries.map(({ entry }: { entry: { app: string } }) => entry.app);
  expect(names).toEqual(appNames.filter((app) => (models[app]?.files.size ?? 0) > 0));
}

/** In the end every content that there ever was is still there, by its number. */
async function compareHistory(bench: ToolBench, models: Models): Promise<void> {
  for (const app of appNames) {
    for (const [path, contents] of models[app]?.contents ?? []) {
      for (const [index, text] of contents.entries()) {
        expect((await bench.call(fileRead, { app, path, version: index + 1 })).text).toBe(text);
      }
    }
  }
}

describe.each([
  ["in memory", async () => ({ store: createMemoryStore(setting), dispose: async () => {} }), 100],
  ["on SQLite", onDisk, 20],
] as const)("any sequence of calls %s", (_, create, numRuns) => {
  test("gives the listing, the usage and the bytes of a simple model", async () => {
    await fc.assert(
      fc.asyncProperty(operations, async (sequence) => {
        const { store, dispose } = await create();
        try {
          const bench = createToolBench({ limits, store });
          const most = { bytes: limits.app_bytes, files: limits.app_files };
          const models = { one: new AppModel(most), two: new AppModel(most) };
          for (const operation of sequence) {
            await perform(bench, models, operation);
            await compare(bench, models);
          }
          await compareHistory(bench, models);
        } finally {
          store.close();
          await dispose();
        }
      }),
      { numRuns },
    );
  }, 120_000);
});
