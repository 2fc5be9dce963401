import { accessSync, constants, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Where an index lies. */
export interface IndexPlace {
  readonly file: string;
  /** Takes away what is there for this process alone. */
  dispose(): void;
}

/** The place of an index file; where its folder cannot be written, one that is there until it is disposed of. */
export function findIndexPlace(file: string, warn: (message: string, error: unknown) => void): IndexPlace {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    accessSync(dirname(file), constants.W_OK | constants.X_OK);
    return { file, dispose: () => {} };
  } catch (error) {
    warn("the index's folder cannot be written; the index is temporary, name another by --index", error);
    const folder = mkdtempSync(join(tmpdir(), "vault-mcp-index-"));
    const dispose = () => rmSync(folder, { recursive: true, force: true });
    return { file: join(folder, "index.sqlite"), dispose };
  }
}
