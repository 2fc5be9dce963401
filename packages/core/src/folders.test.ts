import { expect, test } from "vitest";
import { userFolder } from "./folders.ts";

test.each([
  ["linux", {}, "data", "/home/u/.local/share/x"],
  ["linux", {}, "config", "/home/u/.config/x"],
  ["linux", { XDG_STATE_HOME: "/s" }, "state", "/s/x"],
  ["linux", { XDG_STATE_HOME: "relative" }, "state", "/home/u/.local/state/x"],
  ["darwin", {}, "cache", "/home/u/Library/Caches/x"],
  ["darwin", { XDG_CACHE_HOME: "/c" }, "cache", "/c/x"],
] as const)("on %s with %j, %s lies in %s", (platform, env, kind, folder) => {
  expect(userFolder(kind, "x", { env, platform, home: "/home/u" })).toBe(folder);
});
