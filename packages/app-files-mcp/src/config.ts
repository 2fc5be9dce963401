import { resolve } from "node:path";
import {
  ConfigurationError,
  option,
  type Surroundings,
  userFolder,
  type Values,
} from "@mcp-file-servers/core";
import manifest from "../package.json" with { type: "json" };
import { type AppPolicy, createAppPolicy } from "./domain/app-name.ts";
import { AppFilesError, type LimitName } from "./domain/errors.ts";
import { defaultLimits, defaultRetention, type Limits, type Retention } from "./domain/limits.ts";

const options = {
  data: option.text({
    placeholder: "DIR",
    description: "where everything is kept (default: the user's data directory)",
    env: "APP_FILES_DATA",
    isPath: true,
  }),
  readOnly: option.flag({ description: "offer no tool that changes the store", env: "APP_FILES_READ_ONLY" }),
  allowApp: option.list({
    placeholder: "NAME|GLOB",
    description: "serve this app, or those that match; may be repeated (default: every app)",
    env: "APP_FILES_ALLOW_APPS",
  }),
  root: option.list({
    placeholder: "DIR",
    description: "a directory that files may be imported from and exported to; may be repeated",
    env: "APP_FILES_ROOTS",
    isPath: true,
  }),
  limits: option.text({
    placeholder: "KEY=VALUE,…",
    description: `most that is stored: ${Object.keys(defaultLimits).join(", ")}; bytes also as 250MiB, 5GiB`,
    env: "APP_FILES_LIMITS",
  }),
  keepVersions: option.integer({
    placeholder: "N",
    description: "versions of a file that are kept, the current one included",
    min: 1,
    max: 1_000,
    byDefault: defaultRetention.versions,
  }),
  keepDays: option.integer({
    placeholder: "N",
    description: "days that replaced versions and deleted files are kept",
    min: 1,
    max: 3_650,
    byDefault: defaultRetention.days,
  }),
};

const overwrite = option.flag({ description: "replace what is there" });

export const commandLine = {
  name: manifest.name,
  version: manifest.version,
  summary: "an MCP server for the files that an app keeps",
  options,
  commands: {
    check: {
      summary: "verify everything that is stored and repair what can be; 1 when something cannot",
      usage: "",
      arguments: { min: 0, max: 0 },
      options: {},
    },
    export: {
      summary: "write the files of an app into a zip",
      usage: "APP FILE.zip",
      arguments: { min: 2, max: 2 },
      options: { overwrite },
    },
    import: {
      summary: "store the files of a zip in an app",
      usage: "APP FILE.zip",
      arguments: { min: 2, max: 2 },
      options: { overwrite },
    },
  },
};

/** The settings of a server. */
export interface Config {
  /** Absolute path. */
  readonly data: string;
  readonly readOnly: boolean;
  readonly policy: AppPolicy;
  /** Absolute paths. */
  readonly roots: readonly string[];
  readonly limits: Limits;
  readonly retention: Retention;
}

/**
 * The settings that a command line comes to. Pure.
 *
 * @throws ConfigurationError with one line that says what to do.
 */
export function parseConfig(values: Values<typeof options>, surroundings: Surroundings): Config {
  return {
    data: resolve(values.data ?? userFolder("data", manifest.name, surroundings)),
    readOnly: values.readOnly,
    policy: parsePolicy(values.allowApp),
    roots: values.root.map((root) => resolve(root)),
    limits: parseLimits(values.limits),
    retention: { versions: values.keepVersions, days: values.keepDays },
  };
}

function parsePolicy(allowed: readonly string[]): AppPolicy {
  try {
    return createAppPolicy(allowed);
  } catch (error) {
    if (!(error instanceof AppFilesError) || !("problem" in error.details)) throw error;
    throw new ConfigurationError(`--allow-app ${error.details.problem}`);
  }
}

const units: Readonly<Record<string, number>> = {
  "": 1,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
  TiB: 1024 ** 4,
};

/** 1 TiB, and a million million files: beyond, a number is a slip. */
const mostPerLimit = 1024 ** 4;

function parseLimits(text: string | undefined): Limits {
  const limits: Record<LimitName, number> = { ...defaultLimits };
  for (const part of (text ?? "").split(",").map((each) => each.trim())) {
    if (part === "") continue;
    const [, key = "", digits = "", unit = ""] = /^([^=]*)=(\d+)(KiB|MiB|GiB|TiB)?$/.exec(part) ?? [];
    if (!isLimitName(key)) {
      throw new ConfigurationError(
        `--limits must be KEY=VALUE with a key of ${Object.keys(defaultLimits).join(", ")} and a whole number, not ${JSON.stringify(part)}`,
      );
    }
    const value = Number(digits) * (units[unit] ?? 1);
    if (value < 1 || value > mostPerLimit || (unit !== "" && !key.endsWith("_bytes"))) {
      const range = key.endsWith("_bytes") ? "1 to 1TiB" : `1 to ${mostPerLimit} without a unit`;
      throw new ConfigurationError(`--limits ${key} must be from ${range}, not ${JSON.stringify(part)}`);
    }
    limits[key] = value;
  }
  return limits;
}

function isLimitName(key: string): key is LimitName {
  return Object.hasOwn(defaultLimits, key);
}
