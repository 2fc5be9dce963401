import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { movePath } from "../src/domain/changing/move-path.ts";
import { isQnxFsError } from "../src/domain/errors.ts";
import type { OpenTarget } from "../src/domain/targets.ts";
import { putFile } from "../src/domain/transfers/put-file.ts";
import { bytesSource } from "../src/domain/transfers/put-source.ts";
import { describeScripted, openPool, type TestPool } from "./open-pool.ts";
import type { Behaviour } from "./scripted-target/sftp-server.ts";
import { type ScriptedTarget, startScriptedTarget } from "./scripted-target/start-scripted-target.ts";
import { contentOf, directory, fileWith, find, type Node } from "./scripted-target/tree.ts";

const signal = new AbortController().signal;
/** More requests than any change sends. */
const most = 60;

const changes = {
  "a put over a file": async (target: OpenTarget, services: Services) =>
    putFile(
      target,
      bytesSource(Buffer.from("new")),
      { remotePath: "/srv/to", mode: undefined, overwrite: true, verify: true },
      services,
      signal,
    ),
  "a move over a file": async (target: OpenTarget, services: Services) =>
    movePath(target, { from: "/srv/from", to: "/srv/to", overwrite: true }, services, signal),
};
type Services = ReturnType<typeof servicesOf>;

function servicesOf(tested: TestPool) {
  let made = 0;
  return {
    newId: () => String(++made).padStart(8, "0"),
    reopen: (bounded: AbortSignal) => tested.pool.open("tb", bounded),
    // The scripted target does nothing after the line is cut.
    sleep: async () => {},
    progress: () => {},
  };
}

describe.each([
  ["that replaces in steps", {}],
  ["that replaces at once", { "posix-rename@openssh.com": "1", "fsync@openssh.com": "1" }],
])("on a target %s, a line that dies at the n-th request, for each n", (_, extensions) => {
  let behave: () => Behaviour = () => "answer";
  let tb: ScriptedTarget;
  let tested: TestPool;
  beforeAll(async () => {
    tb = await startScriptedTarget({ extensions, behave: () => behave() });
    tested = await openPool(
      { targets: { tb: describeScripted(tb, { read_roots: ["/srv"], write_roots: ["/srv"] }) } },
      { env: { PASSWORD: tb.password }, limits: { connectMs: 2_000, loginMs: 5_000 } },
    );
  });
  afterAll(async () => {
    await tested?.close();
    await tb?.close();
  });

  /** The content at a path; undefined where nothing is. */
  function contentAt(path: string): string | undefined {
    const found = find(tb.root(), path, false);
    return "node" in found ? contentOf(found.node).toString() : undefined;
  }

  /** Does a change whose n-th request meets `fate`, and with `forGood` each one after it too. */
  async function doChange(change: keyof typeof changes, nth: number, fate: Behaviour, forGood: boolean) {
    tb.replaceRoot(directory({ srv: directory({ from: fileWith("new"), to: fileWith("old") }) }));
    behave = () => "answer";
    const target = await tested.pool.open("tb", signal);
    let seen = 0;
    behave = () => {
      seen++;
      return seen === nth || (forGood && seen > nth) ? fate : "answer";
    };
    let outcome = "done";
    let left: readonly string[] = [];
    try {
      await changes[change](target, servicesOf(tested));
    } catch (error) {
      if (!isQnxFsError(error)) throw error;
      outcome = error.code;
      if (isQnxFsError(error, "OUTCOME_UNKNOWN")) left = error.details.left;
    }
    const names = (find(tb.root(), "/srv", false) as { node: Node }).node.entries ?? [];
    const leftovers = names.map(([name]) => `/srv/${name}`).filter((name) => name.startsWith("/srv/.qfs-"));
    return { outcome, left, leftovers, to: contentAt("/srv/to"), reached: seen >= nth };
  }

  describe.each(Object.keys(changes) as (keyof typeof changes)[])("in %s", (change) => {
    test.each(["drop", "lose"] as const)(
      "(%s) leaves the old file or the new one and nothing else",
      async (fate) => {
        let nth = 1;
        for (; nth < most; nth++) {
          const { outcome, leftovers, to, reached } = await doChange(change, nth, fate, false);
          const what = `request ${nth}: ${outcome}, ${to}, ${leftovers}`;
          expect(["done", "CONNECTION_LOST"], what).toContain(outcome);
          expect(to, what).toBe(outcome === "done" ? "new" : "old");
          if (change === "a move over a file") {
            expect(contentAt("/srv/from"), what).toBe(outcome === "done" ? undefined : "new");
          }
          expect(leftovers, what).toEqual([]);
          if (!reached) break;
        }
        expect(nth).toBeGreaterThan(5);
        expect(nth).toBeLessThan(most);
      },
    );

    test.each(["drop", "lose"] as const)("(%s) for good names what is left", async (fate) => {
      let unknown = 0;
      for (let nth = 1; nth < most; nth++) {
        const { outcome, left, leftovers, to, reached } = await doChange(change, nth, fate, true);
        if (!reached) break;
        const what = `request ${nth}: ${outcome}, ${to}, ${leftovers}, ${left}`;
        expect(["done", "CONNECTION_LOST", "OUTCOME_UNKNOWN"], what).toContain(outcome);
        if (outcome === "OUTCOME_UNKNOWN") unknown++;
        // What lies beside its place is named, and the old file is in its place or among it.
        expect(left, what).toEqual(expect.arrayContaining(leftovers));
        const contents = [to, ...leftovers.map(contentAt)];
        expect(contents.includes("old") || to === "new", what).toBe(true);
        if (outcome === "CONNECTION_LOST") expect(to, what).toBe("old");
        if (outcome === "done") expect(to, what).toBe("new");
      }
      expect(unknown).toBeGreaterThan(0);
    });
  });
});
