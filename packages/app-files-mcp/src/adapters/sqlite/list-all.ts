import type { Reader } from "@mcp-file-servers/sqlite";
import type { AllFilesPage, AppFile } from "../../domain/store.ts";
import { type RecordRow, recordColumns, toRecord } from "./rows.ts";

/** A page of the files of all apps that are allowed, app by app. */
export function listAllFiles(
  reader: Reader,
  page: AllFilesPage,
): { readonly files: readonly AppFile[]; readonly more: boolean } {
  const [afterApp, afterPath] = page.after ?? ["", ""];
  const apps = reader.all<{ id: number; name: string }>(
    "SELECT id, name FROM app WHERE name >= ? AND count > 0 ORDER BY name",
    [afterApp],
  );
  const files: AppFile[] = [];
  for (const app of apps.filter(({ name }) => page.allows(name))) {
    const rows = reader.all<RecordRow>(
      `SELECT ${recordColumns} FROM file WHERE app = ? AND state = 0 AND path > ? ORDER BY path LIMIT ?`,
      [app.id, app.name === afterApp ? afterPath : "", page.limit + 1 - files.length],
    );
    for (const row of rows) files.push({ app: app.name, file: toRecord(row) });
    if (files.length > page.limit) break;
  }
  return { files: files.slice(0, page.limit), more: files.length > page.limit };
}
