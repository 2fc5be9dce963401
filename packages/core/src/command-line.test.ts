import { describe, expect, test } from "vitest";
import { parseCommandLine } from "./command-line.ts";
import { option } from "./option.ts";
import { ConfigurationError } from "./settings.ts";

const options = {
  folder: option.text({ placeholder: "DIR", description: "the folder", env: "T_FOLDER", isPath: true }),
  readOnly: option.flag({ description: "no writing", env: "T_READ_ONLY" }),
  exclude: option.list({ placeholder: "GLOB", description: "left out", env: "T_EXCLUDE" }),
  keep: option.integer({ placeholder: "N", description: "kept", min: 0, max: 99, byDefault: 10 }),
  watch: option.choice({
    placeholder: "HOW",
    description: "watching",
    words: ["auto", "off"],
    byDefault: "auto",
  }),
};
const commandLine = {
  name: "t-mcp",
  version: "1.0.0",
  summary: "a test",
  positional: "folder" as const,
  options,
  commands: {
    check: {
      summary: "looks whether all is well",
      usage: "[NAME]...",
      arguments: { min: 1, max: 2 },
      options: { write: option.flag({ description: "tries to write too" }) },
    },
  },
};

function serve(argv: string[], env: Record<string, string> = {}) {
  const invocation = parseCommandLine(commandLine, argv, env);
  if (invocation.kind !== "serve") throw new Error(`would ${invocation.kind}`);
  return invocation.values;
}

function print(argv: string[], env: Record<string, string> = {}) {
  const invocation = parseCommandLine(commandLine, argv, env);
  if (invocation.kind !== "print") throw new Error("would serve");
  return invocation.text;
}

describe("settings", () => {
  test("have defaults", () => {
    expect(serve([])).toMatchObject({
      folder: undefined,
      readOnly: false,
      exclude: [],
      keep: 10,
      watch: "auto",
      maxResultBytes: 40_000,
      logLevel: "info",
    });
  });

  test("come from flags in either form, in any order", () => {
    const argv = ["--exclude", "a", "my dir", "--exclude=b,c", "--read-only", "--keep=0", "--watch", "off"];
    expect(serve(argv)).toMatchObject({
      folder: "my dir",
      exclude: ["a", "b,c"],
      readOnly: true,
      keep: 0,
      watch: "off",
    });
    expect(serve(["--", "--odd"])).toMatchObject({ folder: "--odd" });
  });

  test("come from variables where no flag is given", () => {
    const env = { T_FOLDER: "/v", T_READ_ONLY: "yes", T_EXCLUDE: "a, b,,c" };
    expect(serve([], env)).toMatchObject({ folder: "/v", readOnly: true, exclude: ["a", "b", "c"] });
    expect(serve(["/w", "--exclude", "x"], env)).toMatchObject({ folder: "/w", exclude: ["x"] });
    expect(serve([], { T_FOLDER: "", T_READ_ONLY: "0" })).toMatchObject({
      folder: undefined,
      readOnly: false,
    });
  });

  test.each([
    [["--kep", "1"], {}, "unknown option --kep; did you mean --keep? See --help"],
    [["--zzzzzzzz"], {}, "unknown option --zzzzzzzz See --help"],
    [["a", "b"], {}, 'unexpected argument "b"; see --help'],
    [["--keep"], {}, "--keep needs a value; see --help"],
    [["--keep", "--watch"], {}, "--keep needs a value; see --help"],
    [["--keep", "-1"], {}, '--keep must be a whole number from 0 to 99, not "-1"'],
    [["--watch", "on"], {}, '--watch must be one of auto, off, not "on"'],
    [[], { T_READ_ONLY: "maybe" }, 'T_READ_ONLY must be true or false, not "maybe"'],
    [
      ["--print-config", "emacs"],
      {},
      "--print-config must be one of claude-desktop, claude-code, vscode, cursor",
    ],
  ])("are refused with one line: %j %j", (argv, env, message) => {
    expect(() => parseCommandLine(commandLine, argv, env as NodeJS.ProcessEnv)).toThrow(
      new ConfigurationError(message),
    );
  });
});

describe("commands", () => {
  const command = (argv: string[], env: Record<string, string> = {}) =>
    parseCommandLine(commandLine, argv, env);

  test("have arguments, options of their own and those of the server", () => {
    expect(command(["check", "a", "--write", "--keep", "3", "b"], { T_FOLDER: "/v" })).toMatchObject({
      kind: "command",
      name: "check",
      args: ["a", "b"],
      values: { write: true, keep: 3, folder: "/v" },
    });
  });

  test("say how they are used", () => {
    expect(() => command(["check"])).toThrow(
      new ConfigurationError("usage: t-mcp check [options] [NAME]..."),
    );
    expect(() => command(["check", "a", "b", "c"])).toThrow(ConfigurationError);
    expect(print(["check", "--help"])).toContain("--write");
    expect(print(["--help"])).toMatch(/t-mcp check \[NAME\]\.\.\. +looks whether all is well/);
  });

  test("are named first, so that a folder of that name can still be served", () => {
    expect(serve(["./check"])).toMatchObject({ folder: "./check" });
    expect(serve(["--read-only", "check"])).toMatchObject({ folder: "check", readOnly: true });
  });
});

describe("printing", () => {
  test("helps with every flag, its variable, bounds and default", () => {
    const help = print(["--help", "--keep", "5"]);
    for (const part of [
      "t-mcp 1.0.0: a test",
      "[DIR]",
      "[T_FOLDER]",
      "--keep N",
      "0 to 99; default 10",
      "auto, off; default auto",
      "--exclude GLOB",
      "--max-result-bytes N",
      "--print-config CLIENT",
    ]) {
      expect(help).toContain(part);
    }
    expect(print(["-h"])).toBe(print(["--help"]));
  });

  test("gives a client the very command line, with paths that hold elsewhere", () => {
    const config = JSON.parse(
      print(["/my notes", "--read-only", "--exclude", "x y", "--print-config", "claude-desktop"], {
        T_EXCLUDE: "no",
        T_READ_ONLY: "1",
      }),
    );
    expect(config).toEqual({
      mcpServers: {
        "t-mcp": { command: "npx", args: ["-y", "t-mcp", "--read-only", "--exclude", "x y", "/my notes"] },
      },
    });
    const relative = JSON.parse(print(["notes", "--print-config", "vscode"], { T_EXCLUDE: "a,b" }));
    expect(relative.servers["t-mcp"]).toMatchObject({ type: "stdio", env: { T_EXCLUDE: "a,b" } });
    expect(relative.servers["t-mcp"].args.at(-1)).toMatch(/^(\/|[A-Z]:\\).*notes$/);
  });

  test("quotes for the shell where Claude Code is told by command", () => {
    expect(print(["/it's here", "--print-config", "claude-code"], { T_EXCLUDE: "a b" })).toBe(
      "claude mcp add t-mcp -e 'T_EXCLUDE=a b' -- npx -y t-mcp '/it'\\''s here'\n",
    );
  });

  test("names what must be installed beside the server", () => {
    const invocation = parseCommandLine(
      { ...commandLine, beside: ["libsql@0.5"] },
      ["/v", "--print-config", "claude-code"],
      {},
    );
    expect(invocation).toEqual({
      kind: "print",
      text: "claude mcp add t-mcp -- npx -y -p libsql@0.5 -p t-mcp t-mcp /v\n",
    });
  });

  test("checks the settings before it prints them", () => {
    expect(() => print(["--keep", "x", "--print-config", "cursor"])).toThrow(ConfigurationError);
  });
});
