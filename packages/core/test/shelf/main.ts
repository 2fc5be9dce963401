#!/usr/bin/env node
import { ConfigurationError, option, runMain } from "../../src/index.ts";
import { app, limitShelf, newShelf } from "./app.ts";

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
  scopes: { prefixes: { kind: "list", description: "names that begin with one of them" } },
  start({ names, readOnly }) {
    if (names?.includes(" ")) throw new ConfigurationError("NAMES must be without spaces");
    const shelf = newShelf(names?.split(",") ?? []);
    const tools = app.tools.filter(({ effect }) => !readOnly || effect === "read");
    const watcher = setInterval(() => {}, 1000);
    const served = { ...app, tools };
    return {
      app: served,
      deps: shelf,
      restrict: ({ scope }) => ({ app: served, deps: limitShelf(shelf, scope.prefixes) }),
      routes: {
        prefix: "/items/",
        name: "items",
        async answer(request, { deps }, { readOnly }) {
          const name = new URL(request.url).pathname.slice("/items/".length);
          const item = deps.items.get(name);
          if (name === "broken") throw new Error("SECRET-REASON");
          if (item === undefined) {
            return { response: new Response("none", { status: 404 }), subject: name, outcome: "NOT_FOUND" };
          }
          return { response: Response.json({ item, readOnly }), subject: name, outcome: "ok" };
        },
      },
      openRoutes: {
        prefix: "/open/",
        name: "open",
        async answer(request) {
          const isKey = new URL(request.url).pathname === "/open/sesame";
          return isKey
            ? { response: new Response("come in"), subject: "door", outcome: "ok", caller: "ali" }
            : {
                response: new Response("no", { status: 404 }),
                subject: "",
                outcome: "NOT_FOUND",
                caller: "",
              };
        },
      },
      readiness: async () => ({
        ready: shelf.items.size > 0,
        reasons: shelf.items.size > 0 ? [] : ["empty shelf"],
      }),
      gauges: async () => ({ shelf_items: shelf.items.size }),
      close: () => clearInterval(watcher),
    };
  },
});
