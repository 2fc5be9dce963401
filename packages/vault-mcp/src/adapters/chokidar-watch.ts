import { join, relative, sep } from "node:path";
import { ChangeCollector } from "./change-collector.ts";
import type { FolderWatch, WatchEvents, WatchedPlace } from "./folder-watch.ts";

/** How long after a folder came it is looked at once more: files may have come before it was watched. */
const secondLookMs = 700;

/**
 * Watches the visible folders of a vault with chokidar. Files are ignored there, which saves a watch each: the
 * events of a folder name the file. Resolves once everything is watched.
 */
export async function watchWithChokidar(place: WatchedPlace, events: WatchEvents): Promise<FolderWatch> {
  const { watch } = await import("chokidar");
  const collector = new ChangeCollector((paths) => events.changed(paths));
  const pathOf = (absolute: string) => relative(place.root, absolute).split(sep).join("/");
  const watcher = watch(place.root, {
    ignoreInitial: true,
    followSymlinks: false,
    ignorePermissionErrors: true,
    ignored: (absolute, stats) => {
      const path = pathOf(absolute);
      if (path === "") return false;
      return place.visibility.isHidden(path) || (stats !== undefined && !stats.isDirectory());
    },
  });
  const close = async () => {
    collector.close();
    await watcher.close();
  };
  watcher.on("raw", (_event, name, details) => {
    const { watchedPath } = details as { watchedPath?: string };
    if (watchedPath === undefined) return;
    const path = pathOf(typeof name === "string" ? join(watchedPath, name) : watchedPath);
    if (path === "" || !place.visibility.isHidden(path)) collector.add(path);
  });
  watcher.on("addDir", (absolute) => {
    collector.add(pathOf(absolute));
    collector.addLater(pathOf(absolute), secondLookMs);
  });
  watcher.on("unlinkDir", (absolute) => collector.add(pathOf(absolute)));
  await new Promise<void>((resolve) => {
    let stopped = false;
    watcher.on("error", (error) => {
      resolve();
      if (stopped) return;
      stopped = true;
      close().then(() => events.failed(error), events.failed);
    });
    watcher.on("ready", () => resolve());
  });
  return { follow: () => {}, end: close };
}
