import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Refusal } from "@mcp-file-servers/core/testing";
import type { BenchWorld } from "./bench-world.ts";

const local = ({ folder }: BenchWorld, name: string): string => path.join(folder, "local", name);

/** Good calls of the transfers. */
export const transferCalls = {
  file_get: (world: BenchWorld) => ({
    target: "tb",
    remote_path: "/srv/small/b",
    local_path: local(world, `b-${Math.random()}`),
  }),
  file_put: () => ({ target: "tb", remote_path: "/scratch/put", text: "put", overwrite: true }),
};

/** Paths that cannot be copied from, and to. */
const badGets = {
  PATH_NOT_NORMALISED: { remote_path: "/srv/small/../a" },
  OUTSIDE_ROOTS: { remote_path: "/srv/out/passwd" },
  NOT_FOUND: { remote_path: "/srv/nowhere" },
  NOT_A_FILE: { remote_path: "/srv/small" },
  PERMISSION_DENIED: { remote_path: "/srv/locked/x" },
  REFUSED_BY_TARGET: { remote_path: "/srv/vague" },
  NAME_NOT_UTF8: { remote_path: "/srv/lossy" },
  NO_SPACE: { remote_path: "/srv/endless", max_mb: 16_000_000 },
  LOCAL_PATH_REFUSED: { remote_path: "/srv/small/a", local_path: "/etc/x" },
  CHANGED_WHILE_READING: { target: "shifty", remote_path: "/srv/small/b" },
  VERIFY_FAILED: { target: "shifty", remote_path: "/srv/small/a", verify: true },
};

const badPuts = {
  PATH_NOT_NORMALISED: { remote_path: "/scratch//x" },
  OUTSIDE_ROOTS: { remote_path: "/etc/x" },
  NOT_FOUND: { remote_path: "/scratch/none/x" },
  PERMISSION_DENIED: { remote_path: "/scratch/locked/x" },
  REFUSED_BY_TARGET: { remote_path: "/scratch/vague/x" },
  NAME_NOT_UTF8: { remote_path: "/scratch/lossy/x" },
  NOT_A_DIRECTORY: { remote_path: "/scratch/a/x" },
  NOT_A_FILE: { remote_path: "/scratch/sub", overwrite: true },
  IS_LINK: { remote_path: "/scratch/l", overwrite: true },
  ALREADY_EXISTS: { remote_path: "/scratch/a" },
  NO_SPACE: { target: "full", remote_path: "/scratch/x" },
  VERIFY_FAILED: { target: "forgets", remote_path: "/scratch/x" },
  OUTCOME_UNKNOWN: { target: "gone", remote_path: "/scratch/x" },
  LOCAL_PATH_REFUSED: { remote_path: "/scratch/x", text: undefined, local_path: "/etc/passwd" },
};

/** Every refusal of the transfers; `badTargets` are targets that cannot be used, by the code that says why. */
export function transferRefusals(badTargets: Readonly<Record<string, string>>): Refusal<BenchWorld>[] {
  return [
    ...Object.entries(badTargets).flatMap(([code, target]) => [
      { tool: "file_get", code, args: () => ({ target, remote_path: "/etc/hosts" }) },
      { tool: "file_put", code, args: () => ({ target, remote_path: "/scratch/x", text: "x" }) },
    ]),
    ...Object.entries(badGets).map(([code, args]) => ({
      tool: "file_get",
      code,
      args: () => ({ target: "tb", ...args }),
    })),
    ...Object.entries(badPuts).map(([code, args]) => ({
      tool: "file_put",
      code,
      args: () => ({ target: "tb", text: "text", ...args }),
    })),
    {
      tool: "file_get",
      code: "ALREADY_EXISTS",
      prepare: (world) => writeFile(local(world, "there"), "mine"),
      args: (world) => ({ target: "tb", remote_path: "/srv/small/a", local_path: local(world, "there") }),
    },
  ];
}
