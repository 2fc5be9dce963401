import { expect, test } from "vitest";
import type { Target } from "./configuration.ts";
import { QnxFsError } from "./errors.ts";
import { listTargets } from "./list-targets.ts";
import { rawNameOf } from "./raw-name.ts";
import type { AllowedTargets, OpenTarget, Targets } from "./targets.ts";

const never = new AbortController().signal;

function target(name: string): Target {
  return {
    name,
    host: "192.0.2.1",
    user: "u",
    sshConfig: false,
    credentials: {},
    firstUse: false,
    algorithms: { preset: "qnx8", own: {} },
    readRoots: ["/"],
    writeRoots: [],
  };
}

/** An open target whose /tmp leads somewhere. */
function opened(name: string): OpenTarget {
  const files = { realPath: async () => rawNameOf("/dev/shmem") };
  const algorithms = { kex: "k", hostKey: "h", cipher: "c", mac: "m" };
  const facts = { server: "S", sftpVersion: 3, extensions: {}, algorithms, sftpByExec: false };
  return {
    target: name,
    files: files as unknown as OpenTarget["files"],
    roots: { configured: [], resolved: [] },
    writeRoots: { configured: [], resolved: [] },
    facts,
  };
}

function inMemory(
  names: readonly string[],
  open: Targets["open"],
  more: Partial<AllowedTargets> = {},
): Targets {
  return {
    open,
    allowed: async () => ({
      configFile: "/c.yaml",
      targets: names.map((name) => ({ target: target(name), connection: { state: "never_tried" } })),
      notAllowed: 0,
      configured: true,
      problem: undefined,
      ...more,
    }),
  };
}

const request = { probe: false, limit: 2, after: undefined, deadline: never, progress: () => {} };
const notOpened: Targets["open"] = async () => {
  throw new Error("nothing is to be opened");
};

test("pages by name", async () => {
  const targets = inMemory(["c", "a", "b"], notOpened);
  const first = await listTargets(targets, request, never);
  expect(first.targets.map(({ target: { name } }) => name)).toEqual(["a", "b"]);
  expect(first).toMatchObject({ total: 3, more: true });
  const second = await listTargets(targets, { ...request, after: "b" }, never);
  expect(second.targets.map(({ target: { name } }) => name)).toEqual(["c"]);
  expect(second).toMatchObject({ more: false, note: undefined });
});

test("probes the targets of the page alone, and a failure is one target's own", async () => {
  const tried: string[] = [];
  const failure = new QnxFsError("CONNECTION_LOST", { target: "b", step: "s", reason: "r" });
  const targets = inMemory(["a", "b", "c"], async (name) => {
    tried.push(name);
    if (name === "b") throw failure;
    return opened(name);
  });
  const progress: number[] = [];
  const page = await listTargets(
    targets,
    { ...request, probe: true, progress: (done) => progress.push(done) },
    never,
  );
  expect(tried).toEqual(["a", "b"]);
  expect(page.targets).toMatchObject([
    { connection: { state: "connected" }, probed: { tmp: "/dev/shmem" } },
    { connection: { state: "failed", failure } },
  ]);
  expect(progress).toEqual([1, 2]);
});

test("leaves out what has not answered by the deadline, and says so", async () => {
  const deadline = new AbortController();
  const targets = inMemory(["a", "b"], async (name, signal) => {
    if (name === "a") return opened(name);
    deadline.abort(new Error("late"));
    throw signal.reason;
  });
  const page = await listTargets(targets, { ...request, probe: true, deadline: deadline.signal }, never);
  expect(page.targets).toMatchObject([
    { connection: { state: "connected" } },
    { connection: { state: "never_tried" } },
  ]);
  expect(page.note).toMatch(/^1 targets have not answered yet/);
});

test("ends when the call is cancelled", async () => {
  const cancel = new AbortController();
  const reason = new Error("enough");
  const targets = inMemory(["a"], async (_name, signal) => {
    cancel.abort(reason);
    throw signal.reason;
  });
  await expect(listTargets(targets, { ...request, probe: true }, cancel.signal)).rejects.toBe(reason);
});

test("tells what to do about a configuration that is missing, empty, wrong or shut out", async () => {
  const noteOf = async (more: Partial<AllowedTargets>): Promise<string | undefined> =>
    (await listTargets(inMemory([], notOpened, more), request, never)).note;
  expect(await noteOf({ configured: false })).toMatch(
    /no configuration yet\. Write \/c\.yaml, for example: targets: \{tb/,
  );
  expect(await noteOf({})).toMatch(/describes no targets yet/);
  expect(await noteOf({ notAllowed: 2 })).toMatch(/describes 2 targets, and --allow matches none/);
  expect(await noteOf({ problem: "/c.yaml:3: bad" })).toMatch(/cannot be read any more: \/c\.yaml:3: bad/);
});
