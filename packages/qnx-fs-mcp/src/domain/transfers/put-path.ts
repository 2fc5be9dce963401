import { QnxFsError } from "../errors.ts";
import type { LocalFiles } from "../local-files.ts";
import type { OpenTarget } from "../targets.ts";
import { type PutRequest, type PutServices, putFile } from "./put-file.ts";
import { bytesSource, fileSource, type PutSource } from "./put-source.ts";
import { putTree } from "./put-tree.ts";
import type { Skipped } from "./tree-rules.ts";

/** What to put: exactly one of them. */
export interface PutContent {
  readonly localPath: string | undefined;
  readonly text: string | undefined;
  readonly base64: string | undefined;
}

export interface PutPath {
  readonly realPath: string;
  readonly size: number;
  readonly sha256: string | null;
  readonly mode: string | null;
  readonly files: number;
  readonly identical: number;
  readonly replaced: boolean;
  readonly atomic: boolean;
  readonly inRam: boolean;
  readonly leftBackup: string | undefined;
  readonly skipped: readonly Skipped[];
}

/** Puts a file, a text, bytes, or a directory where `recursive` says so. */
export async function putPath(
  target: OpenTarget,
  local: LocalFiles,
  content: PutContent,
  request: PutRequest & { readonly recursive: boolean; readonly most: number },
  services: PutServices,
  signal: AbortSignal,
): Promise<PutPath> {
  const given = [content.localPath, content.text, content.base64].filter((value) => value !== undefined);
  if (given.length !== 1) {
    const problem = `${given.length === 0 ? "none" : "more than one"} of local_path, text and data_base64 is given`;
    throw refuse("local_path", problem, "Pass exactly one of local_path, text and data_base64.");
  }
  if (content.localPath !== undefined && request.recursive) {
    const top = await local.locate(content.localPath);
    if ((await local.stat(top))?.kind === "dir") {
      const tree = await putTree(target, local, top, request, services, signal);
      const { bytes, ...rest } = tree;
      const none = { sha256: null, mode: null, replaced: false, leftBackup: undefined };
      return { ...rest, ...none, size: bytes, atomic: false, inRam: false };
    }
  }
  const source = await sourceOf(local, content);
  if (source.size > request.most) {
    const problem = `${source.size} bytes are more than the ${Math.round(request.most / 2 ** 20)} MiB of max_mb`;
    throw refuse("max_mb", problem, "Pass a larger max_mb if it is really wanted there.");
  }
  const put = await putFile(target, source, request, services, signal);
  return { ...put, files: 1, identical: 0, skipped: [] };
}

async function sourceOf(local: LocalFiles, { localPath, text, base64 }: PutContent): Promise<PutSource> {
  if (localPath !== undefined) return fileSource(local, await local.locate(localPath));
  if (text !== undefined) return bytesSource(Buffer.from(text, "utf8"));
  const bytes = Buffer.from(base64 ?? "", "base64");
  const canonical = bytes.toString("base64").replace(/=+$/, "");
  if (canonical !== (base64 ?? "").replaceAll(/\s/g, "").replace(/=+$/, "")) {
    throw refuse("data_base64", "it is not base64", "Pass standard base64, or text for text.");
  }
  return bytesSource(bytes);
}

function refuse(argument: string, problem: string, next: string): QnxFsError {
  return new QnxFsError("INVALID_ARGUMENT", { argument, problem, next });
}
