import { type FSWatcher, watch } from "node:fs";
import { join } from "node:path";
import { ChangeCollector } from "./change-collector.ts";
import { isMissing } from "./file-errors.ts";
import type { FolderWatch, WatchEvents, WatchedPlace } from "./folder-watch.ts";

/**
 * Watches each folder by itself, which for a large vault takes a fraction of the memory that a watching library
 * takes. It learns of new folders by `follow`.
 */
export function watchEachFolder(
  place: WatchedPlace,
  folders: ReadonlySet<string>,
  events: WatchEvents,
): FolderWatch {
  const watchers = new Map<string, FSWatcher>();
  const collector = new ChangeCollector((paths) => events.changed(paths));
  let ended = false;

  function end(): void {
    ended = true;
    collector.close();
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  }

  function fail(error: unknown): void {
    if (ended) return;
    end();
    events.failed(error);
  }

  function drop(isDropped: (folder: string) => boolean): void {
    for (const [folder, watcher] of watchers) {
      if (!isDropped(folder)) continue;
      watcher.close();
      watchers.delete(folder);
    }
  }

  function open(folder: string): void {
    const watcher = watch(join(place.root, folder), (event, name) => {
      const path = [folder, name ?? ""].filter((part) => part !== "").join("/");
      if (path !== "" && place.visibility.isHidden(path)) return;
      // A folder that came or went is another one now, even if it has the same name.
      if (event === "rename") drop((other) => other === path || other.startsWith(`${path}/`));
      collector.add(path);
    });
    watchers.set(folder, watcher);
    watcher.on("error", (error) => {
      watcher.close();
      if (watchers.get(folder) === watcher) watchers.delete(folder);
      if (folder === "") fail(error);
    });
  }

  function follow(present: ReadonlySet<string>): void {
    drop((folder) => folder !== "" && !present.has(folder));
    for (const folder of ["", ...present]) {
      if (ended || watchers.has(folder)) continue;
      try {
        open(folder);
        // Files may have come before the folder was watched.
        if (watching) collector.add(folder);
      } catch (error) {
        if (folder === "" || !isMissing(error)) fail(error);
      }
    }
  }

  let watching = false;
  follow(folders);
  watching = true;
  return { follow, end: async () => end() };
}
