#!/usr/bin/env node
import { ConfigurationError, option, runMain } from "../../src/index.ts";
import { app, newShelf } from "./app.ts";

await runMain(process, {
  commandLine: {
    name: app.name,
    version: app.version,
    summary: app.description,
    positional: "names",
    options: {
      names: option.text({
        placeholder: "NAMES",
        description: "names of items, by commas",
        env: "SHELF_NAMES",
      }),
      readOnly: option.flag({ description: "no writing", env: "SHELF_READ_ONLY" }),
    },
  },
  start({ names, readOnly }) {
    if (names?.includes(" ")) throw new ConfigurationError("NAMES must be without spaces");
    const shelf = newShelf(names?.split(",") ?? []);
    const tools = app.tools.filter(({ effect }) => !readOnly || effect === "read");
    const watcher = setInterval(() => {}, 1000);
    return { app: { ...app, tools }, deps: shelf, close: () => clearInterval(watcher) };
  },
});
