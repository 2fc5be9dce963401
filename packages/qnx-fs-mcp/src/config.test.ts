import { parseCommandLine } from "@mcp-file-servers/core";
import { expect, test } from "vitest";
import { commandLine, parseConfig } from "./config.ts";

function config(argv: readonly string[], env: Record<string, string> = {}) {
  const invocation = parseCommandLine(commandLine, argv, env);
  if (invocation.kind !== "serve") throw new Error(invocation.kind);
  return parseConfig(invocation.values, { env, platform: "linux", home: "/home/me" });
}

test("everything has a default in the user's folders", () => {
  expect(config([])).toEqual({
    configFile: "/home/me/.config/qnx-fs-mcp/config.yaml",
    configNamed: false,
    allow: [],
    readOnly: false,
    pinsFile: "/home/me/.local/state/qnx-fs-mcp/known_hosts",
    ownFiles: "/home/me/.local/state/qnx-fs-mcp/files",
    knownHostsFile: "/home/me/.ssh/known_hosts",
  });
});

test("flags come before variables", () => {
  const env = {
    QNX_FS_CONFIG: "/e.yaml",
    QNX_FS_ALLOW: "a, b-*",
    QNX_FS_READ_ONLY: "1",
    QNX_FS_STATE: "/state",
  };
  expect(config([], env)).toMatchObject({
    configFile: "/e.yaml",
    configNamed: true,
    allow: ["a", "b-*"],
    readOnly: true,
    pinsFile: "/state/known_hosts",
  });
  expect(config(["--config", "/f.yaml", "--allow", "c"], env)).toMatchObject({
    configFile: "/f.yaml",
    allow: ["c"],
  });
});

test("--allow takes names and globs of names", () => {
  expect(() => config(["--allow", "My Target"])).toThrow(
    /--allow "My Target" is neither a target's name nor a glob/,
  );
});
