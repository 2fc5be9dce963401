import {
  type CommandLine,
  ConfigurationError,
  option,
  type ScopeSpec,
  type Values,
} from "@mcp-file-servers/core";
import manifest from "../package.json" with { type: "json" };
import type { OkfMode } from "./domain/okf.ts";
import {
  createVisibility,
  defaultAttachments,
  type Visibility,
  type VisibilityRules,
} from "./domain/visibility.ts";

const options = {
  vaultDir: option.text({
    placeholder: "VAULT_DIR",
    description: "the folder of notes",
    env: "VAULT_DIR",
    isPath: true,
  }),
  readOnly: option.flag({ description: "offer no tools that change the vault", env: "VAULT_READ_ONLY" }),
  index: option.text({
    placeholder: "FILE",
    description:
      "the index of this vault, made by the server (default a file of its own in the cache directory)",
    env: "VAULT_INDEX",
    isPath: true,
  }),
  exclude: option.list({
    placeholder: "GLOB",
    description: "hide what matches and everything below it; may be repeated",
    env: "VAULT_EXCLUDE",
  }),
  attachments: option.text({
    placeholder: "EXT,EXT…|*",
    description: `kinds of files that are served besides notes (default ${defaultAttachments.join(",")})`,
    env: "VAULT_ATTACHMENTS",
  }),
  okf: option.choice({
    placeholder: "MODE",
    description: "whether the vault is an Open Knowledge Format bundle; auto: when its root index.md says so",
    env: "VAULT_OKF",
    words: ["auto", "on", "off"],
    byDefault: "auto",
  }),
  watch: option.choice({
    placeholder: "MODE",
    description: "how changes on the disk are noticed; poll suits network folders",
    env: "VAULT_WATCH",
    words: ["auto", "poll", "off"],
    byDefault: "auto",
  }),
};

const commands = {
  check: {
    summary: "reads the whole vault once; lists broken notes and links, exits 1 if there are any",
    usage: "VAULT_DIR",
    arguments: { min: 0, max: 1 },
    options: {},
  },
};

/** What a token can be limited to. */
export const scopes: ScopeSpec = {
  folders: { kind: "list", description: "folders outside of which it sees and changes nothing" },
};

/** Every setting of the server as flag and variable. */
export const commandLine: CommandLine<typeof options, typeof commands> = {
  name: manifest.name,
  version: manifest.version,
  summary: "serves a folder of Markdown notes, such as an Obsidian vault",
  positional: "vaultDir",
  options,
  commands,
};

export interface Config {
  /** As it was given; relative to the current directory. */
  readonly vaultDir: string;
  readonly readOnly: boolean;
  /** As it was given; undefined for one in the cache directory. */
  readonly indexFile: string | undefined;
  readonly rules: VisibilityRules;
  /** By the rules. */
  readonly visibility: Visibility;
  readonly okf: OkfMode;
  readonly watch: "auto" | "poll" | "off";
}

/** The settings checked and put together. Throws ConfigurationError with one line that says what to do. */
export function parseConfig(values: Values<typeof options>): Config {
  const { vaultDir, readOnly, index, exclude, okf, watch } = values;
  if (vaultDir === undefined) {
    throw new ConfigurationError("VAULT_DIR is missing: name the folder of notes, as in vault-mcp ~/Notes");
  }
  const rules = { exclude, attachments: parseAttachments(values.attachments) };
  return { vaultDir, readOnly, indexFile: index, okf, watch, rules, visibility: parseVisibility(rules) };
}

function parseAttachments(text: string | undefined): readonly string[] {
  if (text === undefined) return defaultAttachments;
  const extensions = text
    .split(",")
    .map((part) => part.trim().replace(/^\*?\./, ""))
    .filter((part) => part !== "");
  const wrong = extensions.find((extension) => !/^(?:\*|[^\s./\\*?]+)$/.test(extension));
  if (wrong === undefined) return extensions;
  throw new ConfigurationError(
    `--attachments must be extensions separated by commas, such as png,pdf, or *, not ${JSON.stringify(wrong)}`,
  );
}

function parseVisibility({ exclude, attachments }: VisibilityRules): Visibility {
  for (const pattern of exclude) {
    try {
      createVisibility({ exclude: [pattern], attachments });
    } catch (error) {
      throw new ConfigurationError(`--exclude ${JSON.stringify(pattern)}: ${(error as Error).message}`);
    }
  }
  return createVisibility({ exclude, attachments });
}
