import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { World } from "@mcp-file-servers/core/testing";
import { stringify } from "yaml";
import { describeScripted } from "./open-pool.ts";
import { putNode, spotOf } from "./scripted-target/changes.ts";
import { makeKey } from "./scripted-target/make-key.ts";
import { qnxTree } from "./scripted-target/qnx-tree.ts";
import { type ScriptedTarget, startScriptedTarget } from "./scripted-target/start-scripted-target.ts";
import { directory, fifo, file, fileWith, link, type Node, rawText } from "./scripted-target/tree.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A bench with good and bad targets, and a configuration that describes them. */
export interface BenchWorld extends World {
  readonly folder: string;
  readonly tb: ScriptedTarget;
}

/** Names in /data/names, in the order of their code points. */
export const listedNames = Array.from(
  { length: 60 },
  (_, index) => `core-${String(index).padStart(3, "0")}-日本-😀.txt`,
);

export const passphrase = "open sesame";

function benchTree(): Node {
  const entries = listedNames.toReversed().map((name, index) => [rawText(name), file(index % 7)] as const);
  return directory({
    ...Object.fromEntries(qnxTree().entries ?? []),
    odd: directory([
      ["caf\xe9", directory({})],
      [rawText("to-lossy"), link("here")],
    ]),
    srv: directory({
      names: directory(entries),
      small: directory({ a: file(1), b: file(2), l: link("a") }),
      vague: { ...directory({}), vague: true },
      locked: directory({}, { denied: true }),
      out: link("/etc"),
      pipe: fifo(),
      endless: file(2 ** 43),
      lossy: { ...link("x"), link: "/srv/caf\xe9" },
      "caf\xe9": directory({}),
    }),
    scratch: directory({
      a: fileWith("a"),
      b: fileWith("b"),
      gone: fileWith("gone"),
      moved: fileWith("moved"),
      sub: directory({}),
      l: link("a"),
      vague: { ...directory({}), vague: true },
      locked: directory({}, { denied: true }),
      lossy: { ...link("x"), link: "/srv/caf\xe9" },
    }),
  });
}

/** A target that is gone for good once a request of a kind came. */
function startDying(last: string): Promise<ScriptedTarget> {
  let dead = false;
  return startScriptedTarget({
    root: benchTree(),
    behave: (request) => {
      dead ||= request === last;
      return dead ? "drop" : "answer";
    },
  });
}

/** A target with a file that is another one each time it is read, unnoticed, and one whose time moves. */
async function startShifty(): Promise<ScriptedTarget> {
  let reads = 0;
  const root = benchTree();
  return startScriptedTarget({
    root,
    behave: (request, given) => {
      const spot = request === "READ" ? spotOf(root, given) : undefined;
      const moved = given === "/srv/small/b" ? { mtime: 1_900_000_000 + ++reads } : {};
      if (spot !== undefined)
        putNode(spot, fileWith(given.endsWith("b") ? "bb" : String(++reads % 10), moved));
      return "answer";
    },
  });
}

/** Starts the bench. */
export async function arrangeBench(): Promise<BenchWorld> {
  const { folder, remove } = await temporaryFolder();
  const tb = await startScriptedTarget({ root: benchTree() });
  const old = await startScriptedTarget({ algorithms: { kex: ["diffie-hellman-group14-sha1"] } });
  const noSftp = await startScriptedTarget({ sftp: "none" });
  const drops = await startScriptedTarget({
    root: benchTree(),
    behave: (request) => (request === "LSTAT" ? "drop" : "answer"),
  });
  const full = await startScriptedTarget({
    root: benchTree(),
    extensions: { "statvfs@openssh.com": "2" },
    store: { capacity: 0 },
  });
  const breaks = await startDying("RENAME");
  const forgets = await startScriptedTarget({ root: benchTree(), store: { keepsOnly: 2 } });
  const gone = await startDying("WRITE");
  const shifty = await startShifty();
  const off = await startScriptedTarget();
  await off.close();
  const file = (name: string): string => path.join(folder, name);
  await writeFile(file("encrypted"), makeKey("ed25519", passphrase));
  await writeFile(file("key"), tb.userKey);
  const describe = (target: ScriptedTarget, more: object = {}): object =>
    describeScripted(target, { password_env: "BENCH_PASSWORD", ...more });
  const roots = { read_roots: ["/srv", "/tmp"], write_roots: ["/scratch", "/tmp"] };
  const byKey = { password_env: undefined };
  const targets = {
    tb: describe(tb, { ...roots }),
    full: describe(full, roots),
    breaks: describe(breaks, roots),
    forgets: describe(forgets, roots),
    gone: describe(gone, roots),
    shifty: describe(shifty, roots),
    "by-key": describe(tb, { ...byKey, identity_file: file("key") }),
    changed: describe(tb, { host_key: `SHA256:${"A".repeat(43)}` }),
    drops: describe(drops, { write_roots: ["/scratch"] }),
    encrypted: describe(tb, { ...byKey, identity_file: file("encrypted") }),
    "no-key": describe(tb, { ...byKey, identity_file: file("none") }),
    "no-sftp": describe(noSftp),
    // Nothing listens on the first port, nor can another test take it.
    off: describe(off, { port: 1 }),
    old: describe(old),
    unknown: describe(tb, { host_key: undefined }),
    "unset-variable": describe(tb, { password_env: "NOT_PASSED_ON" }),
    "wrong-password": describe(tb, { password_env: "WRONG_PASSWORD" }),
    "wrong-passphrase": describe(tb, {
      ...byKey,
      identity_file: file("encrypted"),
      passphrase_env: "WRONG_PASSWORD",
    }),
  };
  await writeFile(file("config.yaml"), stringify({ targets, local_roots: [file("local")] }));
  await writeFile(file("bad.yaml"), "targets:\n  tb:\n    hots: x\n");
  await mkdir(file("directory.yaml"));
  await mkdir(file("local"));
  return {
    folder,
    tb,
    args: ["--config", file("config.yaml")],
    env: {
      HOME: folder,
      BENCH_PASSWORD: tb.password,
      WRONG_PASSWORD: "hunter22",
      QNX_FS_STATE: file("state"),
    },
    dispose: async () => {
      await Promise.all(
        [tb, full, breaks, forgets, gone, shifty, old, noSftp, drops].map((target) => target.close()),
      );
      await remove();
    },
  };
}
