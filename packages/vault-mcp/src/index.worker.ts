import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { createCollectGarbage } from "@mcp-file-servers/core/collect-garbage";
import type { FromKeeper, KeeperSettings, ToKeeper } from "./adapters/index/keeper-messages.ts";
import { IndexKeeper } from "./adapters/index/keeping/index-keeper.ts";
import { openWatch } from "./adapters/index/keeping/open-watch.ts";
import { createYamlParser } from "./adapters/yaml-frontmatter.ts";

/** Keeps an index in step with the disk, away from the thread that answers calls. Its settings are the `workerData`. */
const port = parentPort as MessagePort;
const collectGarbage = createCollectGarbage();
const keeper = new IndexKeeper(workerData as KeeperSettings, {
  parseYaml: createYamlParser(),
  openWatch,
  now: () => new Date(),
  collectGarbage: () => collectGarbage("all"),
  post(message: FromKeeper) {
    port.postMessage(message);
    if (message.kind === "closed") port.close();
  },
});
port.on("message", (message: ToKeeper) => keeper.receive(message));
await keeper.run();
