import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Database, type DatabaseOptions, migrate, openDatabase, SqliteError } from "../src/index.ts";
import { engines } from "./engines.ts";

describe.each(engines)("a database on %s", (engine) => {
  let folder: string;
  let path: string;
  let database: Database;
  const opened: Database[] = [];

  async function open(options: Partial<DatabaseOptions> = {}, file = path): Promise<Database> {
    const result = await openDatabase(file, { synchronous: "FULL", engine, ...options });
    opened.push(result);
    return result;
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "sqlite-"));
    path = join(folder, "test.db");
    database = await open();
    await database.write(({ exec }) =>
      exec("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT UNIQUE, size INTEGER, data BLOB)"),
    );
  });

  afterEach(async () => {
    for (const each of opened.splice(0)) each.close();
    await rm(folder, { recursive: true });
  });

  const put = (name: string, on: Database = database) =>
    on.write(({ run }) => run("INSERT INTO item (name) VALUES (?)", [name]));
  const names = (on: Database = database) =>
    on.read(({ all }) => all<{ name: string }>("SELECT name FROM item ORDER BY id").map((row) => row.name));

  test("says which engine it runs on", () => {
    expect(database.engine).toBe(engine);
  });

  test("commits as durably as it was asked to", async () => {
    const synchronous = async (on: Database) => on.read(({ get }) => ({ ...get("PRAGMA synchronous") }));
    expect(await synchronous(database)).toEqual({ synchronous: 2 });
    expect(await synchronous(await open({ synchronous: "NORMAL" }))).toEqual({ synchronous: 1 });
    expect(await database.read(({ get }) => ({ ...get("PRAGMA journal_mode") }))).toEqual({
      journal_mode: "wal",
    });
  });

  test("is created for its owner alone, the log beside it too", async () => {
    await put("a");
    for (const file of [path, `${path}-wal`]) expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test("gives back every kind of value as it was", async () => {
    const bytes = new Uint8Array([9, 0, 1, 2, 255, 9]).subarray(1, 5);
    const big = Number.MAX_SAFE_INTEGER;
    await database.write(({ run }) => {
      run("INSERT INTO item (id, name, size, data) VALUES (?, ?, ?, ?)", [1, "ä\n'? 日本", big, bytes]);
      run("INSERT INTO item (id, name, size, data) VALUES (?, ?, ?, ?)", [
        2,
        undefined,
        true,
        new Uint8Array(),
      ]);
      run("INSERT INTO item (id, size) VALUES (?, ?)", [3, new Date(1234)]);
    });
    const expected = [
      { id: 1, name: "ä\n'? 日本", size: big, data: new Uint8Array([0, 1, 2, 255]) },
      { id: 2, name: null, size: 1, data: new Uint8Array() },
      { id: 3, name: null, size: 1234, data: null },
    ];
    const { rows, each } = await database.read(({ all, get }) => ({
      rows: all("SELECT * FROM item ORDER BY id"),
      each: [1, 2, 3].map((id) => get("SELECT * FROM item WHERE id = ?", [id])),
    }));
    expect(rows.map((row) => ({ ...row }))).toEqual(expected);
    expect(each.map((row) => ({ ...row }))).toEqual(expected);
    expect(Object.getPrototypeOf(rows[0]?.data)).toBe(Uint8Array.prototype);
    expect(Object.getPrototypeOf(each[0]?.data)).toBe(Uint8Array.prototype);
  });

  test("binds whole numbers as integers, also where no column says so", async () => {
    const row = await database.read(({ get }) =>
      get("SELECT typeof(?) AS a, ? / 2 AS b, typeof(?) AS c", [5, 5, 1.5]),
    );
    expect({ ...row }).toEqual({ a: "integer", b: 2, c: "real" });
  });

  test("says undefined for no row and an empty list for no rows", async () => {
    const result = await database.read(({ all, get }) => [
      get("SELECT * FROM item"),
      all("SELECT * FROM item"),
    ]);
    expect(result).toEqual([undefined, []]);
  });

  test("refuses a wrong number of parameters", async () => {
    for (const parameters of [[], [1, 2]]) {
      await expect(
        database.write(({ run }) => run("INSERT INTO item (name) VALUES (?)", parameters)),
      ).rejects.toBeInstanceOf(TypeError);
    }
    expect(await names()).toEqual([]);
  });

  test("says how many rows changed", async () => {
    await put("a");
    await put("b");
    expect(await database.write(({ run }) => run("UPDATE item SET size = 1"))).toBe(2);
    expect(await database.write(({ run }) => run("DELETE FROM item WHERE name = ?", ["none"]))).toBe(0);
  });

  test("undoes all of a transaction that throws, and goes on", async () => {
    await expect(
      database.write(({ run }) => {
        run("INSERT INTO item (name) VALUES (?)", ["a"]);
        throw new Error("changed my mind");
      }),
    ).rejects.toThrow("changed my mind");
    expect(await names()).toEqual([]);
    await put("b");
    expect(await names()).toEqual(["b"]);
  });

  test("refuses work that waits", async () => {
    await expect(
      database.write(async ({ run }) => run("INSERT INTO item (name) VALUES (?)", ["a"])),
    ).rejects.toThrow("must not wait");
    expect(await names()).toEqual([]);
  });

  test("reads one snapshot, whatever is committed meanwhile", async () => {
    await put("a");
    const other = await open();
    let seenByOther: Promise<string[]> | undefined;
    const counts = await database.read(({ get }) => {
      const count = () => get<{ n: number }>("SELECT count(*) AS n FROM item")?.n;
      const before = count();
      // Runs to its end at once: nothing in it waits.
      seenByOther = put("b", other).then(() => names(other));
      return [before, count()];
    });
    expect(counts).toEqual([1, 1]);
    expect(await seenByOther).toEqual(["a", "b"]);
    expect(await names()).toEqual(["a", "b"]);
  });

  test("leaves no snapshot behind after a read of one row among many", async () => {
    for (const name of ["a", "b", "c"]) await put(name);
    await database.read(({ get }) => get("SELECT * FROM item"));
    const other = await open();
    await put("d", other);
    expect(await names()).toEqual(["a", "b", "c", "d"]);
    // The log can be emptied only when nobody reads an older state.
    const row = await other.read(() => undefined).then(() => checkpoint(other));
    expect(row).toEqual({ busy: 0, log: 0, checkpointed: 0 });
  });

  async function checkpoint(on: Database): Promise<object> {
    // Not inside a transaction: a listener's look would be one, so the pragma goes alone.
    const { loadEngine } = await import("../src/engine.ts");
    const raw = (await loadEngine(on.engine)).open(on.path);
    try {
      return { ...raw.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get([]) };
    } finally {
      raw.close();
    }
  }

  test("waits for another connection's transaction without blocking the process", async () => {
    const other = await open();
    let release = () => {};
    const { loadEngine } = await import("../src/engine.ts");
    const holder = (await loadEngine(engine)).open(path);
    holder.exec("BEGIN IMMEDIATE");
    release = () => {
      holder.exec("COMMIT");
      holder.close();
    };
    const write = put("waited", other);
    // The event loop turns while the write waits, so that this can free it.
    setTimeout(release, 60);
    expect(await write).toBe(1);
    expect(await names()).toEqual(["waited"]);
  });

  test("stops waiting when it is aborted, with nothing written", async () => {
    const { loadEngine } = await import("../src/engine.ts");
    const holder = (await loadEngine(engine)).open(path);
    holder.exec("BEGIN IMMEDIATE");
    try {
      const controller = new AbortController();
      const write = database.write(({ run }) => run("INSERT INTO item (name) VALUES (?)", ["late"]), {
        signal: controller.signal,
      });
      setTimeout(() => controller.abort(new Error("no longer wanted")), 30);
      await expect(write).rejects.toThrow("no longer wanted");
      // Others can read while the lock is held.
      expect(await names()).toEqual([]);
    } finally {
      holder.exec("ROLLBACK");
      holder.close();
    }
  });

  test("tells of commits by others, not of its own", async () => {
    const other = await open();
    const seen: string[][] = [];
    const heard = new Promise<void>((resolve) => {
      const stop = database.watchCommits(
        () => {
          names().then((list) => {
            seen.push(list);
            stop();
            resolve();
          });
        },
        { intervalMs: 5 },
      );
    });
    await put("own");
    await put("foreign", other);
    await heard;
    expect(seen).toEqual([["own", "foreign"]]);
  });

  test("names the kinds of failure alike", async () => {
    await put("a");
    const code = (work: () => Promise<unknown>) =>
      work().then(
        () => "none",
        (error: unknown) => (error instanceof SqliteError ? error.code : error),
      );
    expect(await code(() => put("a"))).toBe("CONSTRAINT");
    expect(await code(() => database.read(({ all }) => all("SELEC 1")))).toBe("OTHER");
    expect(await code(() => database.read(({ all }) => all("SELECT * FROM nowhere")))).toBe("OTHER");
    expect(await code(() => open({}, join(folder, "no", "such.db")))).toBe("CANNOT_OPEN");
    expect(await code(() => open({ readOnly: true }, join(folder, "missing.db")))).toBe("CANNOT_OPEN");
    const junk = join(folder, "junk.db");
    await writeFile(junk, "these are not the pages of a database ".repeat(300));
    expect(await code(() => open({}, junk))).toBe("CORRUPT");
    expect(
      await code(() =>
        database.write(({ exec, run }) => {
          exec("PRAGMA max_page_count = 6");
          run("INSERT INTO item (name, data) VALUES (?, ?)", ["full", new Uint8Array(200_000)]);
        }),
      ),
    ).toBe("FULL");
    // The database goes on after it was full.
    await database.write(({ exec }) => exec("PRAGMA max_page_count = 100000"));
    await put("b");
    expect(await names()).toEqual(["a", "b"]);
  });

  test("can be opened for reading alone", async () => {
    await put("a");
    const reader = await open({ readOnly: true });
    expect(await names(reader)).toEqual(["a"]);
    await expect(put("b", reader)).rejects.toMatchObject({ code: "READONLY" });
    expect(await names()).toEqual(["a"]);
  });

  test("works under a name that a URI would read differently", async () => {
    const odd = join(folder, "a?b#c%20 ü.db");
    const writer = await open({}, odd);
    await writer.write(({ exec }) => exec("CREATE TABLE t (x INTEGER)"));
    const reader = await open({ readOnly: true }, odd);
    expect(await reader.read(({ all }) => all("SELECT * FROM t"))).toEqual([]);
    expect((await stat(odd)).isFile()).toBe(true);
  });

  test("is closed for good, and closing twice is fine", async () => {
    await put("a");
    database.close();
    database.close();
    await expect(names()).rejects.toThrow("closed");
    expect(await names(await open())).toEqual(["a"]);
  });

  test("steps the schema forward once, and refuses a newer one", async () => {
    const steps = [
      "CREATE TABLE t (x INTEGER)",
      "ALTER TABLE t ADD COLUMN y INTEGER; CREATE INDEX t_y ON t (y)",
    ];
    await migrate(database, steps.slice(0, 1));
    await database.write(({ run }) => run("INSERT INTO t VALUES (?)", [1]));
    await Promise.all([migrate(database, steps), open().then((other) => migrate(other, steps))]);
    expect(await database.read(({ get }) => ({ ...get("SELECT * FROM t") }))).toEqual({ x: 1, y: null });
    await expect(migrate(database, steps.slice(0, 1))).rejects.toMatchObject({ code: "NEWER" });
  });

  test("leaves the schema as it was when a step fails", async () => {
    await expect(migrate(database, ["CREATE TABLE t (x INTEGER)", "CREATE NONSENSE"])).rejects.toMatchObject({
      code: "OTHER",
    });
    await migrate(database, ["CREATE TABLE t (z INTEGER)"]);
    expect(await database.read(({ all }) => all("SELECT z FROM t"))).toEqual([]);
  });

  test("keeps the mode of a file that is there", async () => {
    database.close();
    await chmod(path, 0o640);
    const before = await readFile(path);
    await open();
    expect((await stat(path)).mode & 0o777).toBe(0o640);
    expect((await readFile(path)).length).toBe(before.length);
  });
});
