import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { passphrase } from "./bench-world.ts";
import { createBench } from "./create-bench.ts";
import { describeScripted } from "./open-pool.ts";
import { makeKey } from "./scripted-target/make-key.ts";
import { haveSshd, startSshd } from "./start-sshd.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const { target, serve, end, atEnd } = createBench();
afterEach(end);

describe("the built server", () => {
  test("opens an encrypted key in its worker", async () => {
    const { folder, remove } = await temporaryFolder();
    atEnd(remove);
    const key = path.join(folder, "key");
    const encrypted = makeKey("ed25519", passphrase);
    await writeFile(key, encrypted);
    const own = await target({ userKey: encrypted, userPassphrase: passphrase });
    const described = { password_env: undefined, identity_file: key, passphrase_env: "PHRASE" };
    const { data } = await serve(
      { targets: { tb: describeScripted(own, described) } },
      { env: { PHRASE: passphrase } },
    );
    expect((await data("file_list", { target: "tb", path: "/etc" })).total_entries).toBe(3);
  });

  test("never tells a secret, right or wrong, on whatever level it logs", async () => {
    const { folder, remove } = await temporaryFolder();
    atEnd(remove);
    const key = path.join(folder, "key");
    await writeFile(key, makeKey("ed25519", passphrase));
    const tb = await target();
    const [wrong, other] = ["hunter22-and-more", "hunter33-and-more"];
    const keyed = { password_env: undefined, identity_file: key };
    const { server, refusal, data } = await serve(
      {
        targets: {
          tb: describeScripted(tb),
          wrong: describeScripted(tb, { password_env: "WRONG" }),
          opened: describeScripted(tb, { ...keyed, passphrase_env: "PHRASE" }),
          closed: describeScripted(tb, { ...keyed, passphrase_env: "OTHER" }),
        },
      },
      {
        args: ["--log-level", "debug"],
        env: { WRONG: wrong, OTHER: other, PHRASE: passphrase },
      },
    );
    const list = (name: string) => ["file_list", { target: name, path: "/etc" }] as const;
    const refused = [
      await refusal(...list("wrong")),
      await refusal(...list("opened")),
      await refusal(...list("closed")),
    ];
    expect(refused.map((text) => text.split(":")[0])).toEqual([
      "AUTH_FAILED",
      "AUTH_FAILED",
      "KEY_ENCRYPTED",
    ]);
    const shown = [JSON.stringify(await data(...list("tb"))), ...refused];
    const { text: listed } = await server.call("target_list", { probe: true });
    const told = shown.join() + listed + server.stderr();
    for (const secret of [wrong, other, passphrase, tb.password]) expect(told).not.toContain(secret);
  });

  test("serves many calls at once over one connection, and goes on after an error", async () => {
    const tb = await target();
    const { server } = await serve({ targets: { tb: describeScripted(tb) } });
    const calls = Array.from({ length: 30 }, (_, index) =>
      server.call("file_list", { target: "tb", path: index % 3 ? "/etc" : "/none" }),
    );
    const outcomes = await Promise.all(calls);
    expect(outcomes.map(({ isError }) => isError)).toEqual(outcomes.map((_, index) => index % 3 === 0));
    expect(tb.logins()).toBe(1);
    tb.drop();
    await expect
      .poll(async () => (await server.call("file_list", { target: "tb", path: "/etc" })).isError)
      .toBe(false);
    expect(tb.logins()).toBe(2);
  });

  test("answers a cancelled call no more, and the next one at once", async () => {
    let started = (): void => {};
    const hangs = new Promise<void>((resolve) => {
      started = resolve;
    });
    const tb = await target({
      behave: (request, given) => {
        if (request !== "OPENDIR" || given !== "/etc") return "answer";
        started();
        return "pause";
      },
    });
    const { server, data } = await serve({ targets: { tb: describeScripted(tb) } });
    const controller = new AbortController();
    const call = server.call("file_list", { target: "tb", path: "/etc" }, { signal: controller.signal });
    await hangs;
    controller.abort();
    await expect(call).rejects.toThrow();
    expect((await data("file_list", { target: "tb", path: "/system" })).total_entries).toBe(2);
    expect(tb.logins()).toBe(1);
  });
});

describe.skipIf(!haveSshd(process))("the built server and OpenSSH", () => {
  test("walk a real directory in pages", async () => {
    const sshd = await startSshd();
    atEnd(sshd.stop);
    const { folder, remove } = await temporaryFolder();
    atEnd(remove);
    const names = Array.from({ length: 130 }, (_, index) =>
      `b b'c;touch ${folder}/m ${String(index).padStart(3, "0")}`.replaceAll("/", "_"),
    );
    for (const name of names) await writeFile(path.join(folder, name), name);
    const { host, port, user, userKey, fingerprints } = sshd;
    const { data } = await serve({
      targets: {
        tb: { host, port, user, identity_file: userKey, host_key: fingerprints.rsa, read_roots: [folder] },
      },
    });
    const walked: { name: string; size: number }[] = [];
    let cursor: unknown;
    do {
      const page = await data("file_list", {
        target: "tb",
        path: folder,
        max_entries: 40,
        ...(cursor ? { cursor } : {}),
      });
      walked.push(...(page.entries as { name: string; size: number }[]));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(walked.map(({ name }) => name)).toEqual(names);
    for (const { name, size } of walked) expect(size).toBe((await readFile(path.join(folder, name))).length);
    const { files } = await data("file_stat", {
      target: "tb",
      paths: names.slice(0, 3).map((name) => `${folder}/${name}`),
    });
    expect(files).toMatchObject(
      names.slice(0, 3).map((name) => ({ entry: { name, type: "file" }, error: null })),
    );
  });
});
