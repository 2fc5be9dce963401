import { definersFor } from "@mcp-file-servers/core";
import type { AppPolicy } from "../domain/app-name.ts";
import type { Limits } from "../domain/limits.ts";
import type { LocalFiles } from "../domain/local-files.ts";
import type { MimeDetector } from "../domain/mime.ts";
import type { FileStore } from "../domain/store.ts";

/** What the tools work with. */
export interface Deps {
  readonly store: FileStore;
  readonly detector: MimeDetector;
  readonly policy: AppPolicy;
  readonly localFiles: LocalFiles;
  readonly limits: Limits;
}

export const { defineTool, definePagedTool } = definersFor<Deps>();
