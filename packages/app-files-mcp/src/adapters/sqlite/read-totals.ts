import type { Reader } from "@mcp-file-servers/sqlite";
import type { StoreTotals } from "../../domain/check.ts";

export function readTotals(reader: Reader): StoreTotals {
  const row = reader.get<StoreTotals>(
    `SELECT count(*) AS apps, coalesce(sum(bytes), 0) AS bytes, coalesce(sum(history_bytes), 0) AS historyBytes,
       (SELECT files FROM store) AS files, (SELECT physical_bytes FROM store) AS physicalBytes,
       (SELECT count(*) FROM upload) AS uploads
     FROM app WHERE count > 0 OR history_bytes > 0`,
  );
  if (row === undefined) throw new Error("a sum returned no row");
  return row;
}
