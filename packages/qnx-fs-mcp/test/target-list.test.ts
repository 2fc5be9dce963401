import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { createBench } from "./create-bench.ts";
import { describeScripted } from "./open-pool.ts";

const { target, serve, end } = createBench();
afterEach(end);

describe("target_list", () => {
  test("without a configuration the server starts and says how to write one", async () => {
    const { data, folder, refusal } = await serve(undefined);
    const answer = await data("target_list");
    expect(answer).toMatchObject({
      targets: [],
      total_entries: 0,
      next_cursor: null,
      config_file: path.join(folder, ".config/qnx-fs-mcp/config.yaml"),
      note: expect.stringContaining("targets: {tb: {host: "),
    });
    expect(await refusal("file_list", { target: "tb", path: "/" })).toMatch(
      /^TARGET_NOT_ALLOWED: .*\nNext: Call target_list/,
    );
    const example = /for example: (.*)$/.exec(String(answer.note))?.[1] ?? "";
    await mkdir(path.join(folder, ".config/qnx-fs-mcp"), { recursive: true });
    await writeFile(path.join(folder, ".config/qnx-fs-mcp/config.yaml"), example);
    expect((await data("target_list")).targets).toMatchObject([{ name: "tb", state: "never_tried" }]);
  });

  test("connects to nothing by itself, and tells what the targets told when it probes", async () => {
    const tb = await target({ extensions: { "posix-rename@openssh.com": "1" } });
    const off = await target();
    await off.close();
    const { data } = await serve({
      targets: { tb: describeScripted(tb, { write_roots: ["/tmp"] }), off: describeScripted(off) },
    });
    const quiet = await data("target_list");
    expect(quiet.targets).toMatchObject([
      { name: "off", state: "never_tried", failure: null, probe: null },
      { name: "tb", state: "never_tried", write_roots: ["/tmp"], read_roots: ["/"] },
    ]);
    expect(tb.logins()).toBe(0);
    const probed = await data("target_list", { probe: true });
    expect(probed.targets).toMatchObject([
      {
        name: "off",
        state: "failed",
        failure: { code: "TARGET_UNREACHABLE", next: expect.stringMatching(/^Try again/) },
      },
      {
        name: "tb",
        state: "connected",
        probe: {
          server: expect.stringContaining("QNX_Secure_Shell"),
          sftp_version: 3,
          sftp_extensions: ["posix-rename@openssh.com 1"],
          cipher: "aes128-ctr",
          mac: "hmac-sha2-256",
          tmp_leads_to: "/dev/shmem",
        },
      },
    ]);
    expect((await data("target_list")).targets).toMatchObject([
      { state: "failed" },
      { state: "connected", probe: null },
    ]);
    expect(tb.requests().filter((request) => !/^(REALPATH|CLOSE)/.test(request))).toEqual([]);
  });

  test("pages by name, within --allow", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `tb-${String(index).padStart(2, "0")}`);
    const all = Object.fromEntries([...names, "rig"].map((name) => [name, { host: "192.0.2.1", user: "u" }]));
    const { data } = await serve(
      { targets: all },
      { args: ["--allow", "tb-*", "--read-only", "--max-result-bytes", "4000"] },
    );
    const walked: unknown[] = [];
    let cursor: unknown;
    do {
      const page = await data("target_list", { limit: 5, ...(cursor !== undefined && { cursor }) });
      expect(page).toMatchObject({ total_entries: 12, read_only: true });
      walked.push(...(page.targets as { name: string }[]).map(({ name }) => name));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(walked).toEqual(names);
  });
});
