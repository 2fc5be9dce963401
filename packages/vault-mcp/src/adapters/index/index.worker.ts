import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { createYamlParser } from "../yaml-frontmatter.ts";
import { IndexKeeper } from "./index-keeper.ts";
import type { FromKeeper, KeeperSettings, ToKeeper } from "./keeper-messages.ts";
import { openWatch } from "./open-watch.ts";

/** Keeps an index in step with the disk, away from the thread that answers calls. Its settings are the `workerData`. */
const port = parentPort as MessagePort;
const keeper = new IndexKeeper(workerData as KeeperSettings, {
  parseYaml: createYamlParser(),
  openWatch,
  now: () => new Date(),
  post(message: FromKeeper) {
    port.postMessage(message);
    if (message.kind === "closed") port.close();
  },
});
port.on("message", (message: ToKeeper) => keeper.receive(message));
await keeper.run();
