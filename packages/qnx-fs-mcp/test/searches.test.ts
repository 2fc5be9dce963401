import { mkdir, symlink, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBench, type Served } from "./create-bench.ts";
import { haveSshd, startSshd } from "./start-sshd.ts";
import { temporaryFolder } from "./temporary-folder.ts";

describe.skipIf(!haveSshd(process))("looking for things on sshd, over the wire", () => {
  const { serve, end, atEnd } = createBench();
  let served: Served;
  let folder: string;
  beforeAll(async () => {
    const made = await temporaryFolder();
    folder = made.folder;
    atEnd(made.remove);
    await mkdir(path.join(folder, "log/deep"), { recursive: true });
    await mkdir(path.join(folder, "host"));
    const line = (index: number): string =>
      `${index} ${index % 50_000 === 7 ? "FATAL bus off" : "all is well"}\n`;
    const text = Array.from({ length: 200_000 }, (_, index) => line(index)).join("");
    await writeFile(path.join(folder, "log/can.log"), text);
    await writeFile(path.join(folder, "host/can.log"), text);
    await writeFile(path.join(folder, "log/deep/app.core"), Buffer.alloc(70_000));
    await utimes(path.join(folder, "log/deep/app.core"), 1_000_000_000, 1_000_000_000);
    await symlink("/etc", path.join(folder, "log/out"));
    const sshd = await startSshd();
    atEnd(sshd.stop);
    const { host, port, user, userKey, fingerprints } = sshd;
    const read_roots = [path.join(folder, "log")];
    const tb = { host, port, user, identity_file: userKey, host_key: fingerprints.ed25519, read_roots };
    served = await serve({ targets: { tb }, local_roots: [path.join(folder, "host")] });
  });
  afterAll(end);

  const on = (name: string): string => path.join(folder, "log", name);

  test("file_find ranks, and goes by age", async () => {
    const { data } = served;
    const ranked = await data("file_find", {
      target: "tb",
      path: path.dirname(on("x")),
      types: ["file"],
      sort: "size",
    });
    expect((ranked.entries as { path: string }[]).map((entry) => entry.path)).toEqual([
      on("can.log"),
      on("deep/app.core"),
    ]);
    const old = await data("file_find", { target: "tb", path: on("deep"), older_than: "2002-01-01" });
    expect(old.entries).toMatchObject([{ path: on("deep/app.core"), size: 70_000 }]);
  });

  test("file_grep finds by text and by expression, page by page", async () => {
    const { data } = served;
    const args = { target: "tb", path: path.dirname(on("x")), pattern: "^\\d+ FATAL", regex: true, limit: 3 };
    const first = await data("file_grep", args);
    expect((first.matches as { line: number }[]).map(({ line }) => line)).toEqual([8, 50_008, 100_008]);
    const second = await data("file_grep", { ...args, cursor: first.next_cursor });
    expect(second).toMatchObject({
      matches: [{ line: 150_008, text: "150007 FATAL bus off" }],
      next_cursor: null,
    });
  });

  test("file_hash tells whether a build is the one that is there", async () => {
    const { data } = served;
    const local_path = path.join(folder, "host/can.log");
    const same = await data("file_hash", { target: "tb", paths: [on("can.log")], local_path });
    expect(same.comparison).toMatchObject({ verdict: "identical", equal_files: 1 });
    await writeFile(local_path, "another build");
    const other = await data("file_hash", { target: "tb", paths: [on("can.log")], local_path });
    expect(other.comparison).toMatchObject({ verdict: "differs", local_size: 13 });
  });

  test("file_watch tells progress and a new core, and can be cancelled", async () => {
    const { server, data } = served;
    const told: unknown[] = [];
    const watching = server.call(
      "file_watch",
      { target: "tb", path: on("deep"), pattern: "*.core", timeout_s: 30 },
      {
        onprogress: (progress) => {
          if (told.push(progress) === 1) void writeFile(on("deep/new.core"), "core");
        },
      },
    );
    const { data: seen } = await watching;
    expect(seen).toMatchObject({ happened: true, entries: [{ path: on("deep/new.core"), size: 4 }] });
    expect(told.length).toBeGreaterThan(1);
    const stop = new AbortController();
    const cancelled = server.call(
      "file_watch",
      { target: "tb", path: on("deep"), timeout_s: 30 },
      { signal: stop.signal, onprogress: () => stop.abort() },
    );
    await expect(cancelled).rejects.toThrow();
    expect((await data("disk_usage", { target: "tb", path: on("deep"), tree: true })).tree).toMatchObject({
      files: 2,
    });
  });

  test.each([
    ["file_find", { path: "out" }],
    ["file_grep", { path: "out/passwd", pattern: "root" }],
    ["disk_usage", { path: "out", tree: true }],
    ["file_watch", { path: "out", timeout_s: 1 }],
  ])("%s refuses a link that leads out of the roots", async (tool, args) => {
    const refusal = await served.refusal(tool, { target: "tb", ...args, path: on(args.path) });
    expect(refusal).toMatch(/^OUTSIDE_ROOTS: .*a link leads/);
  });

  test("file_hash refuses it too, for that path alone", async () => {
    const { files } = await served.data("file_hash", {
      target: "tb",
      paths: [on("out/passwd"), on("deep/app.core")],
    });
    expect(files).toMatchObject([{ sha256: null, error: { code: "OUTSIDE_ROOTS" } }, { error: null }]);
  });
});
