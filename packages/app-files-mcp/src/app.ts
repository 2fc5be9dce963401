import type { App } from "@mcp-file-servers/core";
import manifest from "../package.json" with { type: "json" };
import { fileResources } from "./resources.ts";
import { appList } from "./tools/app-list.ts";
import type { Deps } from "./tools/define.ts";
import { failures } from "./tools/failures.ts";
import { fileCopy } from "./tools/file-copy.ts";
import { fileDelete } from "./tools/file-delete.ts";
import { fileEdit } from "./tools/file-edit.ts";
import { fileExport, fileExportNew } from "./tools/file-export.ts";
import { fileHistory } from "./tools/file-history.ts";
import { fileImport } from "./tools/file-import.ts";
import { fileList } from "./tools/file-list.ts";
import { fileMove } from "./tools/file-move.ts";
import { fileRead, fileReadOverHttp, fileReadWithLinks } from "./tools/file-read.ts";
import { fileRestore } from "./tools/file-restore.ts";
import { fileSearch } from "./tools/file-search.ts";
import { fileWrite, fileWriteOverHttp } from "./tools/file-write.ts";
import { fileWriteBegin } from "./tools/file-write-begin.ts";
import { fileWriteChunk } from "./tools/file-write-chunk.ts";
import { fileWriteCommit, fileWriteCommitOverHttp } from "./tools/file-write-commit.ts";

/** The server as a value. */
export const app: App<Deps> = {
  name: manifest.name,
  title: "App files",
  version: manifest.version,
  description: manifest.description,
  instructions:
    "Files that apps keep between chats: attachments that a user handed over, exports that an app made. " +
    "Every file belongs to an app (a short name such as recipes) and has a path in it; contents are opaque bytes and are never interpreted. " +
    "Use one app name for one purpose, always the same; when unsure, app_list names all.\n" +
    "Paths are relative, with / between folders; folders need no creation. " +
    "A file has a version that counts its writes; an app has a files_version that grows with every change in it. Remember files_version and pass it as changed_since to learn what changed.\n" +
    "Large contents come and go in windows: follow next_offset or next_cursor until it is null. " +
    "When two chats may write the same file, read first and pass the version as expected_version. Give a change that you may have to repeat a command_id.\n" +
    "Nothing is lost at once: replaced and deleted contents stay for a while, file_history lists them, and unless the server is read-only file_restore brings them back.\n" +
    "Every answer ends with eot; an answer without it was cut off on the way. An error names what to do next.",
  tools: [
    appList,
    fileList,
    fileRead,
    fileHistory,
    fileSearch,
    fileWrite,
    fileEdit,
    fileCopy,
    fileMove,
    fileDelete,
    fileRestore,
    fileWriteBegin,
    fileWriteChunk,
    fileWriteCommit,
    fileImport,
    fileExport,
  ],
  failures,
  resources: fileResources,
};

/** What of a server is offered. */
export interface Offer {
  /** Nothing that changes the store. */
  readonly readOnly: boolean;
  /** What reads from and writes to the disk. */
  readonly disk: boolean;
  /** Over HTTP: URLs of files, and links that can be used once. */
  readonly web?: "urls" | "links" | undefined;
}

type AnyTool = App<Deps>["tools"][number];

/** The server with the tools that are offered. */
export function offer({ readOnly, disk, web }: Offer, from: App<Deps> = app): App<Deps> {
  const usesDisk = new Set([fileImport.name, fileExport.name]);
  const onWeb: readonly AnyTool[] =
    web === undefined
      ? []
      : [web === "links" ? fileReadWithLinks : fileReadOverHttp, fileWriteOverHttp, fileWriteCommitOverHttp];
  const tools = from.tools
    .filter(({ name }) => disk || !usesDisk.has(name))
    .map((tool) => onWeb.find(({ name }) => name === tool.name) ?? tool);
  return { ...from, tools: readOnly ? tools.flatMap(unchanging) : tools };
}

/** A tool as a server offers it that changes nothing in the store. */
function unchanging(tool: AnyTool): readonly AnyTool[] {
  if (tool.name === fileExport.name) return [fileExportNew];
  return tool.effect === "read" ? [tool] : [];
}
