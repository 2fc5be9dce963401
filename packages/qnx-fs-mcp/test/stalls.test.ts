import { afterEach, expect, test } from "vitest";
import type { RemoteFile, RemoteFiles } from "../src/domain/remote-files.ts";
import type { OpenTarget } from "../src/domain/targets.ts";
import { describeScripted, openPool } from "./open-pool.ts";
import { startScriptedTarget } from "./scripted-target/start-scripted-target.ts";
import { directory, fileWith, link } from "./scripted-target/tree.ts";

const signal = new AbortController().signal;
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A target that from now on never answers one kind of request. */
async function arrange(stalls: string) {
  const root = directory({ d: directory({ f: fileWith("content"), l: link("f"), e: directory({}) }) });
  const state = { stalling: false };
  const target = await startScriptedTarget({
    root,
    extensions: { "posix-rename@openssh.com": "1", "statvfs@openssh.com": "2", "fsync@openssh.com": "1" },
    behave: (request) => (state.stalling && request === stalls ? "pause" : "answer"),
  });
  ends.push(target.close);
  const { pool, close } = await openPool(
    { targets: { tb: describeScripted(target) } },
    { env: { PASSWORD: target.password }, limits: { requestMs: 200 } },
  );
  ends.push(close);
  const open = (): Promise<OpenTarget> => pool.open("tb", signal);
  const { files } = await open();
  return { files, state, open };
}

const reading = async (files: RemoteFiles, work: (file: RemoteFile) => Promise<unknown>) =>
  work(await files.open("/d/f", "read", signal));
const creating = async (files: RemoteFiles, work: (file: RemoteFile) => Promise<unknown>) =>
  work(await files.open("/d/new", "create", signal));

async function* piece(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("x");
}

async function readAll(files: RemoteFiles): Promise<void> {
  for await (const _ of files.readDirectory("/d", signal));
}

/** Each kind of request that this server sends, by work that comes to it. */
const works: Readonly<Record<string, (files: RemoteFiles) => Promise<unknown>>> = {
  LSTAT: (files) => files.lstat("/d", signal),
  STAT: (files) => files.stat("/d", signal),
  REALPATH: (files) => files.realPath("/d", signal),
  READLINK: (files) => files.readLink("/d/l", signal),
  OPENDIR: readAll,
  READDIR: readAll,
  OPEN: (files) => files.open("/d/f", "read", signal),
  FSTAT: (files) => reading(files, (file) => file.stat(signal)),
  READ: (files) => reading(files, (file) => file.read(0, 4, signal)),
  WRITE: (files) => creating(files, async (file) => (await file.write(piece(), signal)).taken),
  FSETSTAT: (files) => creating(files, (file) => file.setMode(0o600, signal)),
  CLOSE: (files) => creating(files, (file) => file.close(signal)),
  SETSTAT: (files) => files.setMode("/d/f", 0o600, signal),
  MKDIR: (files) => files.makeDirectory("/d/x", 0o755, signal),
  REMOVE: (files) => files.removeFile("/d/f", signal),
  RMDIR: (files) => files.removeDirectory("/d/e", signal),
  RENAME: (files) => files.rename("/d/f", "/d/g", signal),
  EXTENDED: (files) => files.replace("/d/f", "/d/g", signal),
};

test.each(Object.entries(works))(
  "a target that answers no %s is given up in time, and used again",
  async (request, work) => {
    const { files, state, open } = await arrange(request);
    state.stalling = true;
    await expect(work(files)).rejects.toMatchObject({
      code: "CONNECTION_LOST",
      details: { step: request, reason: expect.stringContaining(`no answer to ${request}`) },
    });
    state.stalling = false;
    expect((await (await open()).files.lstat("/d/f", signal)).size).toBe(7);
  },
);

test.each(["EXTENDED", "CLOSE"])(
  "what asks for a look beside the work, %s, does not hang either",
  async (request) => {
    const { files, state } = await arrange(request);
    state.stalling = true;
    const work =
      request === "EXTENDED" ? files.space("/d", signal) : reading(files, async (file) => file.release());
    if (request === "EXTENDED") await expect(work).rejects.toMatchObject({ code: "CONNECTION_LOST" });
    else await work;
    state.stalling = false;
    await expect.poll(() => files.lstat("/d/f", signal)).toMatchObject({ size: 7 });
  },
);
