import { QnxFsError } from "./errors.ts";
import type { LocalFiles, LocalReader, LocalStat, LocalWriter } from "./local-files.ts";

/** The host's files for a caller that may use none of them. */
export class NoLocalFiles implements LocalFiles {
  async locate(path: string): Promise<string> {
    throw refusal(path);
  }

  async placeFor(name: string): Promise<string> {
    throw refusal(name);
  }

  takesName(): boolean {
    return false;
  }

  join(directory: string): string {
    throw refusal(directory);
  }

  beside(realPath: string): string {
    throw refusal(realPath);
  }

  async stat(realPath: string): Promise<LocalStat | undefined> {
    throw refusal(realPath);
  }

  async room(realPath: string): Promise<number | undefined> {
    throw refusal(realPath);
  }

  async list(realPath: string): Promise<readonly string[]> {
    throw refusal(realPath);
  }

  async open(realPath: string): Promise<LocalReader> {
    throw refusal(realPath);
  }

  // biome-ignore lint/correctness/useYield: it gives nothing, ever.
  async *read(realPath: string): AsyncGenerator<Buffer> {
    throw refusal(realPath);
  }

  async makeDirectory(realPath: string): Promise<void> {
    throw refusal(realPath);
  }

  async create(realPath: string): Promise<LocalWriter> {
    throw refusal(realPath);
  }

  async continue(realPath: string): Promise<LocalWriter> {
    throw refusal(realPath);
  }

  async install(from: string): Promise<void> {
    throw refusal(from);
  }

  async remove(realPath: string): Promise<void> {
    throw refusal(realPath);
  }
}

function refusal(path: string): QnxFsError {
  const reason = "this caller's token does not allow paths of the host (scope local)";
  return new QnxFsError("LOCAL_PATH_REFUSED", { path, roots: [], add: path, reason });
}
