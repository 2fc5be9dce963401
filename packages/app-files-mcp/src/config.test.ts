import { parseCommandLine } from "@mcp-file-servers/core";
import { describe, expect, test } from "vitest";
import { commandLine, parseConfig } from "./config.ts";
import { defaultLimits } from "./domain/limits.ts";

const home = "/home/ann";

function configOf(argv: readonly string[], env: Record<string, string> = {}) {
  const invocation = parseCommandLine(commandLine, argv, env);
  if (invocation.kind !== "serve") throw new Error("not a start");
  return parseConfig(invocation.values, { env, platform: "linux", home });
}

test("has defaults for everything", () => {
  const { policy, ...config } = configOf([]);
  expect(config).toEqual({
    data: "/home/ann/.local/share/app-files-mcp",
    readOnly: false,
    roots: [],
    limits: defaultLimits,
    retention: { versions: 10, days: 30 },
  });
  expect(policy.allows("anything")).toBe(true);
});

test("reads every flag", () => {
  const { policy, ...config } = configOf(
    "--data /srv/data --read-only --allow-app notes --allow-app team-* --root /srv/in --root /srv/out --limits file_bytes=1MiB,app_files=5 --keep-versions 3 --keep-days 7".split(
      " ",
    ),
  );
  expect(config).toEqual({
    data: "/srv/data",
    readOnly: true,
    roots: ["/srv/in", "/srv/out"],
    limits: { ...defaultLimits, file_bytes: 1024 ** 2, app_files: 5 },
    retention: { versions: 3, days: 7 },
  });
  expect(["notes", "team-a", "other"].map(policy.allows)).toEqual([true, true, false]);
});

test("reads every variable, and flags win", () => {
  const env = {
    APP_FILES_DATA: "/env/data",
    APP_FILES_READ_ONLY: "1",
    APP_FILES_ALLOW_APPS: "a, b*",
    APP_FILES_ROOTS: "/x,/y",
    APP_FILES_LIMITS: "store_bytes=2GiB , store_files=9",
  };
  expect(configOf([], env)).toMatchObject({
    data: "/env/data",
    readOnly: true,
    policy: { allowed: ["a", "b*"] },
    roots: ["/x", "/y"],
    limits: { store_bytes: 2 * 1024 ** 3, store_files: 9 },
  });
  expect(configOf(["--data", "/flag"], env).data).toBe("/flag");
  expect(configOf([], { XDG_DATA_HOME: "/xdg" }).data).toBe("/xdg/app-files-mcp");
});

describe("refuses", () => {
  test.each([
    ["app_bytes", /KEY=VALUE with a key of file_bytes.*"app_bytes"/],
    ["bytes=5", /"bytes=5"/],
    ["app_bytes=-1", /"app_bytes=-1"/],
    ["app_bytes=5MB", /"app_bytes=5MB"/],
    ["app_bytes=0", /app_bytes must be from 1 to 1TiB/],
    ["app_bytes=2TiB", /app_bytes must be from 1 to 1TiB/],
    ["app_files=5MiB", /app_files must be from 1 to \d+ without a unit/],
    ["constructor=5", /"constructor=5"/],
  ])("--limits %s", (limits, says) => {
    expect(() => configOf(["--limits", limits])).toThrow(says);
  });

  test("a bad app", () => {
    expect(() => configOf(["--allow-app", "My App"])).toThrow(
      '--allow-app must be an app\'s name or a pattern with * and ?, not "My App"',
    );
  });
});
