import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { describeServerContract, nodeBinaries } from "../src/testing/index.ts";
import { app } from "./shelf/app.ts";
import { buildShelf } from "./shelf/build.ts";

const { bin, dispose } = await buildShelf();
afterAll(dispose);

const names = ["a", "a-1", "a-2", "B", "b", "c", "ä", "日本語"];

describeServerContract(
  {
    manifest: { name: app.name, version: app.version },
    bin,
    golden: fileURLToPath(new URL("golden/tools.json", import.meta.url)),
    tools: app.tools,
    arrange: async () => ({ args: [names.join(",")], dispose: async () => {} }),
    calls: {
      item_list: () => ({ tags: ["x"] }),
      item_read: () => ({ name: "a" }),
      item_write: () => ({ name: "new", text: "t", meta: { list: [1, "2"] } }),
      shelf_wait: () => ({ milliseconds: 1 }),
    },
    refusals: [{ tool: "item_read", code: "NOT_FOUND", args: () => ({ name: "none" }) }],
    walks: [
      {
        tool: "item_list",
        args: () => ({}),
        list: "items",
        key: ({ name }) => String(name),
        expected: () => ["B", "a", "a-1", "a-2", "b", "c", "ä", "日本語"],
        other: () => ({ prefix: "a" }),
      },
    ],
    badStarts: [{ what: "bad names", args: () => ["a b"], says: /without spaces/ }],
  },
  nodeBinaries(process),
);
