/**
 * A writer process: `writer.mjs PATH ENGINE NAME COUNT`. Adds COUNT numbered rows, each in a transaction that
 * reads before it writes, and prints each number once it is committed. With COUNT 0 it goes on until it is killed.
 */
import { type EngineName, openDatabase } from "../../src/index.ts";

const [path = "", engine, name = "", count = "0"] = process.argv.slice(2);
const database = await openDatabase(path, { synchronous: "FULL", engine: engine as EngineName });
for (let n = 1; count === "0" || n <= Number(count); n++) {
  await database.write(({ get, run }) => {
    const last = get<{ last: number }>("SELECT coalesce(max(position), 0) AS last FROM entry")?.last ?? 0;
    run("INSERT INTO entry (position, writer, number) VALUES (?, ?, ?)", [last + 1, name, n]);
    run("UPDATE total SET entries = entries + 1");
  });
  process.stdout.write(`${n}\n`);
}
database.close();
