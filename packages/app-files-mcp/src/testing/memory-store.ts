import { AppFilesError } from "../domain/errors.ts";
import { comparePaths } from "../domain/file-path.ts";
import { receiptDays } from "../domain/limits.ts";
import { nearestNames } from "../domain/nearest.ts";
import type { FileStore, StoredContent } from "../domain/store.ts";
import { createMemoryChanges } from "./memory-changes.ts";
import { MemoryCore, type MemoryStoreOptions } from "./memory-core.ts";
import { createMemoryLinks } from "./memory-links.ts";
import { listInMemory } from "./memory-listing.ts";
import { createMemoryStaging } from "./memory-staging.ts";
import { currentFiles, usageOf } from "./memory-state.ts";
import { checkInMemory, totalsOf } from "./memory-totals.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** A store without a disk, for tests of what stands on the port. Keeps to the same contract. */
export function createMemoryStore(options: MemoryStoreOptions): FileStore {
  const core = new MemoryCore(options);
  return {
    ...createMemoryChanges(core),

    async list(query) {
      const app = core.apps.get(query.app);
      if (app !== undefined) return listInMemory(app, query);
      const nearestApps = nearestNames(query.app, [...core.apps.keys()].sort());
      const empty = { entries: [], more: false, total: 0, filesVersion: 0, changedSince: 0 };
      return { ...empty, usage: usageOf(undefined), nearestApps };
    },

    async listAll({ allows, after: [afterApp, afterPath] = ["", ""], limit }) {
      const files = [...core.apps]
        .filter(([app]) => allows(app))
        .sort(([a], [b]) => comparePaths(a, b))
        .flatMap(([app, each]) => currentFiles(each).map((file) => ({ app, file })))
        .filter(
          ({ app, file }) => app > afterApp || (app === afterApp && comparePaths(file.path, afterPath) > 0),
        );
      return { files: files.slice(0, limit), more: files.length > limit };
    },

    async listApps({ allows, prefix, after = "", limit }) {
      const all = [...core.apps]
        .map(([app, each]) => ({
          app,
          usage: usageOf(each),
          filesVersion: each.filesVersion,
          updatedAt: each.updatedAt,
        }))
        .filter(({ app, usage }) => allows(app) && app.startsWith(prefix) && usage.count > 0)
        .sort((a, b) => comparePaths(a.app, b.app));
      const rest = all.filter(({ app }) => app > after);
      return { apps: rest.slice(0, limit), more: rest.length > limit, total: all.length };
    },

    async history({ app, path, before = Number.POSITIVE_INFINITY, limit }) {
      const versions = core.fileOf(app, path)?.versions ?? [];
      if (versions.length === 0) {
        const { nearest } = core.missing(app, path).details as { nearest: readonly string[] };
        throw new AppFilesError("NOT_FOUND", { app, path, nearest });
      }
      const rest = versions.filter(({ filesVersion }) => filesVersion < before).reverse();
      const entries = rest.slice(0, limit).map(({ record, content, replacedAt, ...version }) => ({
        ...version,
        version: record.version,
        isDeletion: content === undefined,
        isCurrent: replacedAt === undefined,
        size: record.size,
        mime: record.mime,
        sha256: content && record.sha256,
        at: record.updatedAt,
      }));
      return { entries, more: rest.length > limit, total: versions.length };
    },

    find: async (app, path) => core.currentOf(app, path),

    async open(app, path, version): Promise<StoredContent> {
      const { record, content } = core.versionOf(app, path, version);
      const { facts, bytes } = content;
      return { record, facts, read: async (offset, length) => bytes.slice(offset, offset + length) };
    },

    receipt: async (command) => core.findReceipt(command),

    write: async ({ facts, bytes, edit, ...request }) =>
      core.once(request, () => {
        const receipt = core.addVersion({ ...request, content: { facts, bytes }, action: "write" });
        return { ...receipt, ...(edit && { edit }) };
      }),

    stage: async () => createMemoryStaging(core),
    uploads: core.uploads,
    links: createMemoryLinks(options.now),

    watch(listener) {
      core.listeners.add(listener);
      return () => core.listeners.delete(listener);
    },

    maintain: async () => maintain(core),
    check: async () => checkInMemory(core),
    totals: async () => totalsOf(core),
    close() {},
  };
}

function maintain({ apps, receipts, uploads, options: { now, retention } }: MemoryCore): void {
  uploads.dropIdle();
  const cutoff = now() - retention.days * dayMs;
  for (const app of apps.values()) {
    for (const file of app.files.values()) {
      file.versions = file.versions.filter(
        ({ replacedAt }) => replacedAt === undefined || replacedAt >= cutoff,
      );
      if (file.state === "deleted" && file.record.updatedAt < cutoff && file.versions.length === 0) {
        file.state = "forgotten";
        app.feedFloor = Math.max(app.feedFloor, file.filesVersion);
      }
    }
  }
  for (const [id, { at }] of receipts) if (at < now() - receiptDays * dayMs) receipts.delete(id);
}
