import { definersFor } from "@mcp-file-servers/core";
import type { AppPolicy } from "../domain/app-name.ts";
import type { DiffTexts } from "../domain/diff-texts.ts";
import type { Limits } from "../domain/limits.ts";
import type { LocalFiles } from "../domain/local-files.ts";
import type { MimeDetector } from "../domain/mime.ts";
import type { FileStore } from "../domain/store.ts";

/** How whoever calls over HTTP reaches the server there. */
export interface Web {
  readonly origin: URL;
  /** Who calls. */
  readonly caller: string;
}

/** What the tools work with. */
export interface Deps {
  readonly store: FileStore;
  readonly detector: MimeDetector;
  readonly policy: AppPolicy;
  readonly localFiles: LocalFiles;
  readonly limits: Limits;
  readonly diffTexts: DiffTexts;
  /** Milliseconds, for what a call may take. */
  readonly now: () => number;
  /** 256 bits that nobody can guess, fit for a URL. */
  readonly newSecret: () => string;
  /** Undefined over stdio, and where the server does not know its own URL. */
  readonly web?: Web | undefined;
}

export const { defineTool, definePagedTool } = definersFor<Deps>();
