import type { DamagedVersion } from "../domain/check.ts";
import type { CommandDeps } from "./command-deps.ts";
import { showProgress } from "./terminal-progress.ts";

/** `check`: verifies the whole store. Exit code 0 when it is sound (now), 1 when something cannot be repaired. */
export async function check({ store, terminal }: CommandDeps): Promise<number> {
  const progress = showProgress(terminal, "checking");
  const report = await store
    .check({ signal: terminal.signal, progress: progress.update })
    .finally(progress.end);
  const { contents, bytes, damaged, damagedChunks, database, repaired } = report;
  const { apps, files } = await store.totals();
  const lines = [
    ...repaired.map((what) => `repaired: ${what}`),
    ...database.map((what) => `DAMAGED database: ${what}`),
    ...damaged.map(describeDamage),
    ...damagedChunks.map(({ upload, seq }) => `DAMAGED chunk ${seq} of upload ${upload}; send it again`),
    `${files} files of ${apps} apps, ${contents} contents, ${bytes} bytes verified`,
  ];
  terminal.stdout.write(`${lines.join("\n")}\n`);
  const faults = damaged.length + damagedChunks.length + database.length;
  if (faults === 0) return 0;
  terminal.stdout.write(
    "Damaged contents are never given out. Storing a file again heals it; restore the data directory from a backup for the rest.\n",
  );
  return 1;
}

function describeDamage({ app, path, version, isCurrent }: DamagedVersion): string {
  return `DAMAGED ${app}: ${JSON.stringify(path)}, version ${version}${isCurrent ? ", which is the current one" : ""}`;
}
