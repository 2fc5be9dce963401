import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SmallDisk {
  readonly path: string;
  dispose(): void;
}

/** A file system in memory that holds little; undefined where this machine lets nobody mount one. */
export function smallDisk(bytes: number): SmallDisk | undefined {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "vault-mcp-disk-")));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", path], { stdio: "ignore" });
  } catch {
    rmSync(path, { recursive: true });
    return undefined;
  }
  return {
    path,
    dispose: () => {
      execFileSync("umount", [path]);
      rmSync(path, { recursive: true });
    },
  };
}
