import { ConfigurationError, parseCommandLine } from "@mcp-file-servers/core";
import { describe, expect, it } from "vitest";
import { commandLine, parseConfig } from "./config.ts";
import { defaultAttachments } from "./domain/visibility.ts";

function parse(argv: string[], env: NodeJS.ProcessEnv = {}) {
  const invocation = parseCommandLine(commandLine, argv, env);
  if (invocation.kind !== "serve") throw new Error(`it is to ${invocation.kind}`);
  return parseConfig(invocation.values);
}

describe("parseConfig", () => {
  it("has defaults for everything but the folder", () => {
    const { visibility, rules, ...rest } = parse(["notes"]);
    expect(rules).toEqual({ exclude: [], attachments: defaultAttachments });
    expect(rest).toEqual({ vaultDir: "notes", readOnly: false, okf: "auto", watch: "auto" });
    expect(visibility.attachments).toBe(defaultAttachments);
    expect(() => parse([])).toThrow(ConfigurationError);
  });

  it("takes flags over variables", () => {
    const env = {
      VAULT_DIR: "from-env",
      VAULT_READ_ONLY: "1",
      VAULT_EXCLUDE: "Private,Archive/**",
      VAULT_ATTACHMENTS: "png, .PDF,",
      VAULT_OKF: "on",
      VAULT_WATCH: "poll",
    };
    const config = parse([], env);
    expect(config).toMatchObject({ vaultDir: "from-env", readOnly: true, okf: "on", watch: "poll" });
    expect(config.visibility.isHidden("Private/x.md")).toBe(true);
    expect(config.visibility.isHidden("Archive/x.md")).toBe(true);
    expect(config.visibility.kindOf("x.pdf")).toBe("attachment");
    expect(config.visibility.kindOf("x.csv")).toBeUndefined();
    const flags = [
      "--okf",
      "off",
      "--watch",
      "off",
      "--exclude",
      "A",
      "--exclude",
      "B",
      "--attachments",
      "*",
      "here",
    ];
    const other = parse(flags, env);
    expect(other).toMatchObject({ vaultDir: "here", okf: "off", watch: "off" });
    expect(["A/x.md", "B/x.md", "Private/x.md"].map((path) => other.visibility.isHidden(path))).toEqual([
      true,
      true,
      false,
    ]);
    expect(other.visibility.kindOf("x.anything")).toBe("attachment");
  });

  it.each([
    [["--exclude", "a*b*c*d*e", "v"], /--exclude "a\*b\*c\*d\*e"/],
    [["--exclude", "[z-a]", "v"], /wrong order/],
    [["--attachments", "png;pdf/x", "v"], /--attachments/],
    [["--okf", "maybe", "v"], /--okf must be one of auto, on, off/],
  ])("refuses %j", (argv, message) => {
    expect(() => parse(argv)).toThrow(ConfigurationError);
    expect(() => parse(argv)).toThrow(message);
  });
});
