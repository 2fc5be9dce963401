import { afterEach, describe, expect, test } from "vitest";
import { describePath } from "../src/domain/describe-path.ts";
import { createBench } from "./create-bench.ts";
import { describeScripted, openPool } from "./open-pool.ts";
import { directory, fileWith, link } from "./scripted-target/tree.ts";

const { target, serve, end } = createBench();
afterEach(end);

describe("file_stat", () => {
  test("gives each path its entry or its error", async () => {
    const tb = await target();
    const { data } = await serve({
      targets: { tb: describeScripted(tb, { read_roots: ["/data", "/tmp"] }) },
    });
    const paths = [
      "/data/var/log/slog.txt",
      "/tmp",
      "/data/var/tmp/out",
      "/data/none",
      "/etc/passwd",
      "/data//x",
      "/data/var/ssh/k",
    ];
    const { files } = await data("file_stat", { target: "tb", paths });
    expect(files).toMatchObject([
      { path: paths[0], entry: { name: "slog.txt", type: "file", size: 0 }, leads_to: null, error: null },
      {
        entry: { name: "tmp", type: "symlink", link_target: "/dev/shmem" },
        leads_to: { real_path: "/dev/shmem", exists: true, in_roots: true },
      },
      { entry: { link_target: "/etc/passwd" }, leads_to: { real_path: null, exists: null, in_roots: false } },
      {
        entry: null,
        error: {
          code: "NOT_FOUND",
          next: 'Call file_list with path "/data", which is there, to see what it holds.',
        },
      },
      { entry: null, error: { code: "OUTSIDE_ROOTS" } },
      { entry: null, error: { code: "PATH_NOT_NORMALISED", next: 'Pass "/data/x" in its place.' } },
      { entry: null, error: { code: "PERMISSION_DENIED" } },
    ]);
    expect(tb.requests().some((request) => request.includes("passwd") && request.startsWith("LSTAT"))).toBe(
      false,
    );
  });

  test("asks all it can at once, and tells nothing of a path as written that leads over a link", async () => {
    const state = { stalling: false };
    const tb = await target({
      root: directory({ srv: directory({ d: directory({ f: fileWith("four") }), l: link("d") }) }),
      behave: (request) => (state.stalling && request === "REALPATH" ? "pause" : "answer"),
    });
    const { pool, close } = await openPool(
      { targets: { tb: describeScripted(tb, { read_roots: ["/srv"] }) } },
      { env: { PASSWORD: tb.password } },
    );
    const { signal } = new AbortController();
    const place = await pool.open("tb", signal);
    const described = await describePath(place, "/srv/l/f", signal);
    expect(described).toMatchObject({ realPath: "/srv/d/f", entry: { size: 4 } });
    state.stalling = true;
    const before = tb.requests().length;
    const stalled = expect(describePath(place, "/srv/d/f", signal)).rejects.toMatchObject({
      code: "CONNECTION_LOST",
    });
    await expect.poll(() => tb.requests().slice(before)).toEqual(["REALPATH /srv/d", "LSTAT /srv/d/f"]);
    await close();
    await stalled;
  });

  test("describes the root of all", async () => {
    const tb = await target();
    const { data } = await serve({ targets: { tb: describeScripted(tb) } });
    const { files } = await data("file_stat", { target: "tb", paths: ["/"] });
    const [{ entry }] = files as [{ entry: object }];
    expect(entry).toMatchObject({ name: "/", type: "dir" });
    expect(entry).not.toHaveProperty("name_lossy");
  });

  test("goes on with a cursor where the answers do not fit", async () => {
    const tb = await target();
    const { data } = await serve(
      { targets: { tb: describeScripted(tb) } },
      { args: ["--max-result-bytes", "4000"] },
    );
    const paths = Array.from({ length: 50 }, (_, index) => `/data/none-${index}`);
    const walked: unknown[] = [];
    let cursor: unknown;
    do {
      const page = await data("file_stat", { target: "tb", paths, ...(cursor ? { cursor } : {}) });
      walked.push(...(page.files as { path: string }[]).map((found) => found.path));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(walked).toEqual(paths);
  });
});
