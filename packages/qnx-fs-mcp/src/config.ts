import { join } from "node:path";
import {
  type CommandLine,
  ConfigurationError,
  option,
  type Surroundings,
  userFolder,
  type Values,
} from "@mcp-file-servers/core";
import manifest from "../package.json" with { type: "json" };

const options = {
  config: option.text({
    placeholder: "FILE",
    description:
      "the file that describes the targets (default: config.yaml in the user's configuration folder)",
    env: "QNX_FS_CONFIG",
    isPath: true,
  }),
  allow: option.list({
    placeholder: "NAME|GLOB",
    description: "use only these targets of the configuration; may be repeated",
    env: "QNX_FS_ALLOW",
  }),
  readOnly: option.flag({ description: "offer nothing that changes a target", env: "QNX_FS_READ_ONLY" }),
};

const commands = {
  check: {
    summary: "says, step by step, what works on the targets and what to do about the rest",
    usage: "[TARGET]...",
    arguments: { min: 0, max: 100 },
    options: {
      write: option.flag({ description: "also write, read and remove a small file in each write root" }),
      example: option.flag({ description: "print a configuration to begin with, and do nothing else" }),
    },
  },
  trust: {
    summary: "shows the host keys of a target or jump and pins them after a yes",
    usage: "TARGET",
    arguments: { min: 1, max: 1 },
    options: {
      fingerprint: option.text({
        placeholder: "SHA256:...",
        description: "pin the key that has it, without asking",
      }),
    },
  },
} as const;

/** The command line of this server. */
export const commandLine: CommandLine<typeof options, typeof commands> = {
  name: manifest.name,
  version: manifest.version,
  summary: "the file system of QNX targets over SSH and SFTP, for an assistant",
  options,
  commands,
};

/** What this server runs with. Paths are absolute where the user's are. */
export interface Config {
  readonly configFile: string;
  /** Whether the user named the file, so that it must be there. */
  readonly configNamed: boolean;
  /** Globs on target names; none: every target of the configuration. */
  readonly allow: readonly string[];
  readonly readOnly: boolean;
  /** Where this server pins host keys. */
  readonly pinsFile: string;
  /** Where files from targets go when the caller names no place. */
  readonly ownFiles: string;
  /** The user's own known_hosts. */
  readonly knownHostsFile: string;
}

/** The settings, from the command line and what surrounds the process. */
export function parseConfig(
  { config, allow, readOnly }: Values<typeof options>,
  surroundings: Surroundings,
): Config {
  const { env, home } = surroundings;
  const state = env.QNX_FS_STATE || userFolder("state", commandLine.name, surroundings);
  for (const name of allow) {
    if (!/^[a-z0-9_*?[\]{},!-]+$/.test(name)) {
      throw new ConfigurationError(
        `--allow ${JSON.stringify(name)} is neither a target's name nor a glob of names; names are lowercase letters, digits, - and _`,
      );
    }
  }
  return {
    configFile: config ?? join(userFolder("config", commandLine.name, surroundings), "config.yaml"),
    configNamed: config !== undefined,
    allow,
    readOnly,
    pinsFile: join(state, "known_hosts"),
    ownFiles: join(state, "files"),
    knownHostsFile: join(home, ".ssh", "known_hosts"),
  };
}
