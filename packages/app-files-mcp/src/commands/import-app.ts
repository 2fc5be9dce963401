import { resolve } from "node:path";
import { type OpenZip, openZip } from "../adapters/zip/read-zip.ts";
import { parseApp } from "../domain/app-name.ts";
import { writeStagedFile } from "../domain/write-staged-file.ts";
import type { CommandDeps } from "./command-deps.ts";
import { compareStored, type PlannedFile, planImport } from "./plan-import.ts";
import { showProgress } from "./terminal-progress.ts";

/** Lines of problems that are shown. */
const mostProblems = 20;

const client = "app-files-mcp import";

/**
 * `import APP FILE.zip`: nothing is stored unless everything can be. Files that are there with the same bytes are left
 * alone, so that an import that was interrupted can be run again.
 */
export async function importApp(
  [name = "", file = ""]: readonly string[],
  overwrite: boolean,
  deps: CommandDeps,
): Promise<number> {
  const app = parseApp(name, deps.policy);
  const zip = await openZip(resolve(file));
  try {
    return await importZip(zip, app, overwrite, deps);
  } finally {
    zip.close();
  }
}

async function importZip(zip: OpenZip, app: string, overwrite: boolean, deps: CommandDeps): Promise<number> {
  const { store, detector, limits, terminal } = deps;
  const { signal } = terminal;
  const { files, problems } = planImport(zip.entries, limits);
  if (problems.length > 0) return refuse(deps, problems);

  const wanted: { readonly file: PlannedFile; readonly isThere: boolean }[] = [];
  const conflicts: string[] = [];
  for (const file of files) {
    const stored = await compareStored(file, { store, app, signal });
    if (stored === "other" && !overwrite) {
      conflicts.push(`${JSON.stringify(file.path)} exists with other content; --overwrite replaces it`);
    }
    if (stored !== "same") wanted.push({ file, isThere: stored === "other" });
  }
  if (conflicts.length > 0) return refuse(deps, conflicts);

  const total = wanted.reduce((sum, { file }) => sum + file.entry.size, 0);
  const progress = showProgress(terminal, `importing into ${app}`);
  let done = 0;
  async function* told(pieces: AsyncIterable<Uint8Array>) {
    for await (const piece of pieces) {
      yield piece;
      done += piece.length;
      progress.update(done, total);
    }
  }
  try {
    for (const { file, isThere } of wanted) {
      const { path, mime, entry } = file;
      const expectedVersion = isThere ? undefined : 0;
      const order = { app, path, mime, expectedVersion, client };
      await writeStagedFile(order, told(entry.read()), { store, detector }, { signal });
    }
  } finally {
    progress.end();
  }
  const same = files.length - wanted.length;
  terminal.stdout.write(
    `${wanted.length} files are stored in ${app}${same === 0 ? "" : `, ${same} were there already`}\n`,
  );
  return 0;
}

function refuse({ terminal }: CommandDeps, problems: readonly string[]): number {
  const shown = problems.slice(0, mostProblems);
  const more = problems.length - shown.length;
  const lines = [
    "app-files-mcp: nothing was imported",
    ...shown,
    ...(more === 0 ? [] : [`and ${more} more`]),
  ];
  terminal.stderr.write(`${lines.join("\n")}\n`);
  return 1;
}
