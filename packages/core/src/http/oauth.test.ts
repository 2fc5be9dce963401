import { expect, test } from "vitest";
import { limitsIn } from "./oauth.ts";

const spec = {
  targets: { kind: "list", description: "targets" },
  local: { kind: "switch", description: "host paths" },
} as const;

test.each([
  [[], { targets: [], local: false }],
  [["write"], { targets: [], local: false }],
  [["targets:tb", "targets:a:b", "target:x"], { targets: ["tb", "a:b"], local: false }],
  [["all"], { local: false }],
  [["all", "local"], { local: true }],
])("scopes %j limit to %j", (scopes, limits) => {
  expect(limitsIn(scopes, spec)).toEqual(limits);
});
