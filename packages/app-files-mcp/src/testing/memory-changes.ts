import { AppFilesError } from "../domain/errors.ts";
import {
  type FileChanges,
  mostNamed,
  nameRestored,
  type RestoredFile,
  type TransferReceipt,
  type TransferRequest,
} from "../domain/file-changes.ts";
import { comparePaths } from "../domain/file-path.ts";
import { checkAtOnce, checkCount, checkMayReplace, checkTransfer } from "../domain/plan-change.ts";
import { checkAsOf, type PathPast, planRevert } from "../domain/plan-revert.ts";
import { checkExpectedVersion } from "../domain/plan-write.ts";
import type { MemoryCore } from "./memory-core.ts";
import { currentFiles, type MemoryFile } from "./memory-state.ts";

/** Changes that bring no bytes, in memory. */
export function createMemoryChanges(core: MemoryCore): FileChanges {
  function transfer(request: TransferRequest, action: "copy" | "move"): TransferReceipt {
    checkTransfer(request);
    const { app, path, newApp, newPath, client } = request;
    const { record, content } = core.versionOf(app, path);
    checkExpectedVersion(path, request.expectedVersion, record);
    if (action === "move") core.removeFile(app, path, action, client);
    checkMayReplace(request, core.currentOf(newApp, newPath));
    const { mime } = record;
    const receipt = core.addVersion({
      ...{ app: newApp, path: newPath, content, mime, detectedMime: mime },
      ...{ action, client },
    });
    const filesVersion = core.apps.get(app)?.filesVersion ?? 0;
    return { ...receipt, from: { app, path, version: record.version, filesVersion } };
  }

  return {
    copy: async (request) => core.once(request, () => transfer(request, "copy")),
    move: async (request) => core.once(request, () => transfer(request, "move")),

    remove: async (request) =>
      core.once(request, () => {
        const { app, path, client } = request;
        const { record } = core.versionOf(app, path);
        checkExpectedVersion(path, request.expectedVersion, record);
        const { version, size } = record;
        return { app, path, version, size, ...core.removeFile(app, path, "delete", client) };
      }),

    removeAll: async (request) =>
      core.once(request, () => {
        const { app, prefix, client } = request;
        const all = core.apps.get(app);
        const files = (all ? currentFiles(all) : []).filter(({ path }) => path.startsWith(prefix));
        checkCount(request, files.length);
        for (const { path } of files) core.removeFile(app, path, "delete", client);
        const named = files.slice(0, mostNamed).map(({ path, version, size }) => ({ path, version, size }));
        const bytes = files.reduce((sum, { size }) => sum + size, 0);
        return { app, count: files.length, bytes, files: named, filesVersion: all?.filesVersion ?? 0 };
      }),

    restore: async (request) =>
      core.once(request, () => {
        const { app, path, expectedVersion, client } = request;
        const current = core.currentOf(app, path);
        if (request.version === undefined && current !== undefined) {
          throw new AppFilesError("NOT_DELETED", { path, version: current.version });
        }
        const asked = request.version ?? core.fileOf(app, path)?.record.version;
        const { record, content } = core.versionOf(app, path, asked);
        const { mime } = record;
        const taken = { app, path, content, mime, detectedMime: mime, expectedVersion };
        const receipt = core.addVersion({ ...taken, action: "restore", client });
        return { ...receipt, from: { version: record.version } };
      }),

    restoreAll: async (request) =>
      core.once(request, () => {
        const { app, prefix, asOf, client } = request;
        const all = core.apps.get(app);
        checkAsOf(asOf, all?.filesVersion ?? 0);
        const changed = [...(all?.files.values() ?? [])]
          .filter(({ path, filesVersion }) => path.startsWith(prefix) && filesVersion > asOf)
          .sort((a, b) => comparePaths(a.path, b.path));
        checkAtOnce(prefix, changed.length);
        const pasts = changed.map((file) => pastOf(file, asOf));
        const { deletions, writes } = planRevert(pasts, asOf);
        const contents = writes.map(({ path, version }) => core.versionOf(app, path, version));
        for (const { path } of deletions) core.removeFile(app, path, "restore", client);
        const deleted = deletions.map(
          ({ path, version }): RestoredFile => ({ path, action: "deleted", version }),
        );
        const restored: RestoredFile[] = [];
        for (const { record, content } of contents) {
          const { path, mime, version: fromVersion } = record;
          const taken = { app, path, content, mime, detectedMime: mime };
          const { version } = core.addVersion({ ...taken, action: "restore", client });
          restored.push({ path, action: "restored", version, fromVersion });
        }
        return {
          app,
          restored: writes.length,
          deleted: deletions.length,
          files: nameRestored(deleted, restored),
          filesVersion: core.apps.get(app)?.filesVersion ?? 0,
        };
      }),
  };
}

function pastOf({ path, state, record, versions, filesVersion }: MemoryFile, asOf: number): PathPast {
  const was = versions.findLast((version) => version.filesVersion <= asOf);
  const [oldest] = versions;
  return {
    path,
    current: state === "current" ? record : undefined,
    was: was && { content: was.content && was.record },
    oldest: {
      filesVersion: oldest?.filesVersion ?? filesVersion,
      version: oldest?.record.version ?? record.version,
      isDeletion: oldest === undefined ? state !== "current" : oldest.content === undefined,
    },
  };
}
