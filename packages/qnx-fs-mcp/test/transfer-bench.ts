import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import type { createBench } from "./create-bench.ts";
import { describeScripted } from "./open-pool.ts";
import type { ScriptedTargetOptions } from "./scripted-target/start-scripted-target.ts";
import {
  contentOf,
  directory,
  fifo,
  fileWith,
  find,
  link,
  type Node,
  rawText,
} from "./scripted-target/tree.ts";

/** Bytes that repeat nowhere near. */
export function noise(size: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(size);
  let state = seed;
  for (let at = 0; at < size; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[at] = state >>> 16;
  }
  return bytes;
}

export const big = noise(1_000_000);

function transferTree(): Node {
  return directory({
    etc: directory({ passwd: fileWith("root") }),
    dev: directory({ shmem: directory({}) }),
    fixed: directory({}, { denied: true }),
    srv: directory({
      big: fileWith(big),
      empty: fileWith(""),
      old: fileWith("old", { mode: 0o755 }),
      pipe: fifo(),
      out: link("/etc"),
      to: link("old"),
      tree: directory({
        a: fileWith("a"),
        deep: directory({ "b b'c;touch m": fileWith("b"), l: link("/etc/passwd") }),
        none: directory({}),
      }),
      sub: directory({}),
    }),
    tmp: link("/dev/shmem"),
  });
}

/** A scripted target with files, a server over it, and a host directory `local` that it may use. */
export async function arrangeTransfers(
  { target, serve }: ReturnType<typeof createBench>,
  options: ScriptedTargetOptions = {},
  args: readonly string[] = [],
) {
  const tb = await target({ root: transferTree(), ...options });
  const roots = { read_roots: ["/srv", "/tmp", "/fixed"], write_roots: ["/srv", "/tmp", "/fixed"] };
  const served = await serve(
    { targets: { tb: describeScripted(tb, roots) }, local_roots: ["~/local"] },
    { args, env: { QNX_FS_STATE: "" } },
  );
  const local = (...names: string[]): string => path.join(served.folder, "local", ...names);
  await mkdir(local());
  const node = (where: string): Node | undefined => {
    const found = find(tb.root(), rawText(where), false);
    return "node" in found ? found.node : undefined;
  };
  return {
    tb,
    ...served,
    local,
    node,
    call: (tool: string, given: object) => served.data(tool, { target: "tb", ...given }),
    refuse: (tool: string, given: object) => served.refusal(tool, { target: "tb", ...given }),
    bytes: (where: string): Buffer | undefined => {
      const there = node(where);
      return there && contentOf(there);
    },
    /** The names on the target that a transfer made and did not take away. */
    leftovers: (where = "/srv") =>
      (node(where)?.entries ?? []).map(([name]) => name).filter((name) => name.startsWith(".qfs-")),
    localNames: async () => (await readdir(local())).sort(),
  };
}
