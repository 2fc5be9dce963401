import type { FolderWatch, WatchEvents, WatchedPlace } from "../../folder-watch.ts";
import type { WatcherKind } from "../keeper-messages.ts";

export interface OpenedWatch {
  readonly watch: FolderWatch;
  readonly kind: WatcherKind;
  /** Whether it failed while it was being opened. */
  hasFailed(): boolean;
}

export type OpenWatch = typeof openWatch;

/** Watches a vault: a small one with chokidar, a large one folder by folder, which takes a fraction of the memory. */
export async function openWatch(
  place: WatchedPlace,
  isLarge: boolean,
  folders: ReadonlySet<string>,
  events: WatchEvents,
): Promise<OpenedWatch> {
  let failed = false;
  const observed: WatchEvents = {
    changed: (paths) => events.changed(paths),
    failed: (error) => {
      failed = true;
      events.failed(error);
    },
  };
  const hasFailed = () => failed;
  if (isLarge) {
    const { watchEachFolder } = await import("../../each-folder-watch.ts");
    return { watch: watchEachFolder(place, folders, observed), kind: "folders", hasFailed };
  }
  const { watchWithChokidar } = await import("../../chokidar-watch.ts");
  return { watch: await watchWithChokidar(place, observed), kind: "chokidar", hasFailed };
}
