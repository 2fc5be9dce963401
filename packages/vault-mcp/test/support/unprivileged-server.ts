import { chmodSync, cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Who may write nothing that was not given to them. */
export const nobody = 65_534;

export interface UnprivilegedServer {
  /** The built server, where anybody can read it. */
  readonly bin: string;
  /** Runs Node with the rights of nobody where the tests run as the superuser, who may read and write everything. */
  readonly node: string;
  dispose(): void;
}

/** A copy of the built server that runs without rights; with SQLite beside it where this Node has none. */
export function unprivilegedServer(): UnprivilegedServer {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "vault-mcp-unprivileged-")));
  chmodSync(folder, 0o755);
  cpSync(fileURLToPath(new URL("../../dist", import.meta.url)), join(folder, "dist"), { recursive: true });
  if (!isBuiltin("node:sqlite")) {
    // The package with all that it needs lies in one folder of the package manager's store.
    const libsql = realpathSync(fileURLToPath(new URL("../../node_modules/libsql", import.meta.url)));
    cpSync(dirname(libsql), join(folder, "node_modules"), { recursive: true, dereference: true });
  }
  const node = join(folder, "node");
  const rights =
    process.getuid?.() === 0 ? `setpriv --reuid=${nobody} --regid=${nobody} --clear-groups ` : "";
  writeFileSync(node, `#!/bin/sh\nexec ${rights}"${process.execPath}" "$@"\n`, { mode: 0o755 });
  return {
    bin: join(folder, "dist/main.js"),
    node,
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
