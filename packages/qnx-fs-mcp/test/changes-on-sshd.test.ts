import { lstat, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { createBench } from "./create-bench.ts";
import { haveSshd, startSshd } from "./start-sshd.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const { serve, end, atEnd } = createBench();
afterEach(end);

describe.skipIf(!haveSshd(process))("changes on OpenSSH", () => {
  test("are on the disk as they are told, and stay within the roots", async () => {
    const sshd = await startSshd();
    atEnd(sshd.stop);
    const { folder, remove } = await temporaryFolder();
    atEnd(remove);
    const at = (...names: string[]): string => path.join(folder, ...names);
    await mkdir(at("root"));
    await writeFile(at("outside"), "outside");
    await symlink(folder, at("root", "out"));
    const { host, port, user, userKey, fingerprints } = sshd;
    const login = { host, port, user, identity_file: userKey, host_key: fingerprints.ed25519 };
    const roots = { read_roots: [at("root")], write_roots: [at("root")] };
    const { data, refusal } = await serve({ targets: { tb: { ...login, ...roots } } });
    const target = "tb";

    await data("dir_create", { target, path: at("root", "a", "b"), parents: true, mode: "0750" });
    expect((await lstat(at("root", "a", "b"))).mode & 0o7777).toBe(0o750);
    const file = at("root", "a", "f");
    await data("file_put", { target, remote_path: file, text: "one", mode: "0755" });
    expect(await data("file_put", { target, remote_path: file, text: "two", overwrite: true })).toMatchObject(
      {
        atomic: true,
        mode: "0755",
      },
    );
    expect(await readFile(file, "utf8")).toBe("two");
    await data("file_set_mode", { target, path: file, mode: "0600" });
    expect((await lstat(file)).mode & 0o7777).toBe(0o600);
    await writeFile(at("root", "other"), "other");
    expect(await refusal("file_move", { target, path: file, new_path: at("root", "other") })).toMatch(
      /^ALREADY_EXISTS/,
    );
    await data("file_move", { target, path: file, new_path: at("root", "other"), overwrite: true });
    expect(await readFile(at("root", "other"), "utf8")).toBe("two");
    expect(await data("file_read", { target, path: at("root", "other") })).toMatchObject({ content: "two" });
    for (const [tool, args] of [
      ["file_put", { remote_path: at("root", "out", "outside"), text: "x", overwrite: true }],
      ["file_delete", { path: at("root", "out", "outside") }],
      ["file_read", { path: at("root", "out", "outside") }],
      ["file_get", { remote_path: at("root", "out", "outside") }],
    ] as const) {
      expect(await refusal(tool, { target, ...args }), tool).toMatch(/^OUTSIDE_ROOTS: /);
    }
    const whole = { target, path: at("root", "a"), recursive: true };
    const { count } = await data("file_delete", { ...whole, dry_run: true });
    await data("file_delete", { ...whole, expected_count: count });
    expect((await readdir(at("root"))).sort()).toEqual(["other", "out"]);
    expect(await readFile(at("outside"), "utf8")).toBe("outside");
  });
});
