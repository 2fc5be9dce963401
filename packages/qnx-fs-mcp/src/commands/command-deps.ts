import type { Terminal } from "@mcp-file-servers/core";
import type { ConfigFile } from "../adapters/config/config-file.ts";
import type { ConnectServices } from "../adapters/ssh/connect-target.ts";

/** What the commands work with. */
export interface CommandDeps {
  readonly configFile: ConfigFile;
  /** Whether the command line lets a target be used. */
  readonly allows: (name: string) => boolean;
  readonly services: ConnectServices;
  readonly newId: () => string;
  readonly terminal: Pick<Terminal, "stdin" | "stdout" | "signal">;
}
