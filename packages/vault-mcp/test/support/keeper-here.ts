import type { StartKeeper } from "../../src/adapters/index/keeper-messages.ts";
import { IndexKeeper } from "../../src/adapters/index/keeping/index-keeper.ts";
import { type OpenWatch, openWatch } from "../../src/adapters/index/keeping/open-watch.ts";
import { createYamlParser } from "../../src/adapters/yaml-frontmatter.ts";

/** Runs the keeper on this thread: tests run TypeScript, which a worker of Node 20 cannot. */
export function keeperHere(now: () => Date, watch: OpenWatch = openWatch): StartKeeper {
  return (settings, events) => {
    let finish = () => {};
    const ended = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const keeper = new IndexKeeper(structuredClone(settings), {
      parseYaml: createYamlParser(),
      now,
      openWatch: watch,
      collectGarbage: () => {},
      post(message) {
        const copy = structuredClone(message);
        setImmediate(() => {
          events.message(copy);
          if (copy.kind === "closed") finish();
        });
      },
    });
    keeper.run().catch((error) => events.lost(error));
    return {
      send: (message) => setImmediate(() => keeper.receive(structuredClone(message))),
      end: () => ended,
    };
  };
}
