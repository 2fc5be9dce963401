import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface TemporaryVault {
  /** Real path. */
  readonly root: string;
  write(path: string, content: string | Uint8Array): void;
  remove(path: string): void;
  dispose(): void;
}

/** A folder with these files, outside of everything else. */
export function temporaryVault(files: Readonly<Record<string, string | Uint8Array>> = {}): TemporaryVault {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "vault-mcp-test-")));
  const vault: TemporaryVault = {
    root,
    write(path, content) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
    remove: (path) => rmSync(join(root, path), { recursive: true }),
    dispose() {
      for (const folder of [root, `${root}.index`]) rmSync(folder, { recursive: true, force: true });
    },
  };
  for (const [path, content] of Object.entries(files)) vault.write(path, content);
  return vault;
}
