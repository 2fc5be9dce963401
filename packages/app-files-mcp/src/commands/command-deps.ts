import type { Terminal } from "@mcp-file-servers/core";
import type { AppPolicy } from "../domain/app-name.ts";
import type { Limits } from "../domain/limits.ts";
import type { LocalFiles } from "../domain/local-files.ts";
import type { MimeDetector } from "../domain/mime.ts";
import type { FileStore } from "../domain/store.ts";

/** What the commands of the terminal work with. */
export interface CommandDeps {
  readonly store: FileStore;
  readonly detector: MimeDetector;
  readonly policy: AppPolicy;
  readonly limits: Limits;
  readonly terminal: Terminal;
  /** Files below a folder that the user named. */
  localFilesIn(folder: string): LocalFiles;
}
