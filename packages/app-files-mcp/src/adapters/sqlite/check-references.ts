import type { Reader, Writer } from "@mcp-file-servers/sqlite";

/** Everything that needs a content, a row each. */
const needs = `SELECT sha256 FROM file WHERE state = 0
  UNION ALL SELECT sha256 FROM version WHERE sha256 IS NOT NULL
  UNION ALL SELECT sha256 FROM upload_part`;

/** A number that is kept beside the rows that it sums up, and how it is found anew. */
interface Kept {
  /** What is wrong where it differs. */
  readonly what: string;
  /** How many are wrong. */
  readonly count: string;
  readonly repair: string;
}

const currentOf = (sum: string) => `(SELECT ${sum} FROM file WHERE file.app = app.id AND state = 0)`;
const historyOf =
  "(SELECT coalesce(sum(version.size), 0) FROM version JOIN file ON file.id = version.file WHERE file.app = app.id)";

const kept: readonly Kept[] = [
  {
    what: "contents with a wrong count of what needs them",
    count: `SELECT count(*) AS n FROM blob LEFT JOIN (SELECT sha256, count(*) AS uses FROM (${needs}) GROUP BY sha256)
      USING (sha256) WHERE refs <> coalesce(uses, 0)`,
    repair: `WITH used AS MATERIALIZED (SELECT sha256, count(*) AS uses FROM (${needs}) GROUP BY sha256)
      UPDATE blob SET refs = coalesce((SELECT uses FROM used WHERE used.sha256 = blob.sha256), 0)`,
  },
  {
    what: "contents that nothing needs",
    count: "SELECT count(*) AS n FROM blob WHERE refs = 0",
    repair: `INSERT OR IGNORE INTO trash SELECT sha256 FROM blob WHERE refs = 0 AND data IS NULL;
      DELETE FROM blob WHERE refs = 0`,
  },
  {
    what: "uploads with a wrong count of bytes",
    count: `SELECT count(*) AS n FROM upload
      WHERE bytes <> (SELECT coalesce(sum(size), 0) FROM upload_part WHERE upload = upload.id)`,
    repair: `UPDATE upload SET bytes = (SELECT coalesce(sum(size), 0) FROM upload_part WHERE upload = upload.id)`,
  },
  {
    what: "apps with a wrong count or sum of their files",
    count: `SELECT count(*) AS n FROM app WHERE count <> ${currentOf("count(*)")}
      OR bytes <> ${currentOf("coalesce(sum(size), 0)")} OR history_bytes <> ${historyOf}`,
    repair: `UPDATE app SET count = ${currentOf("count(*)")}, bytes = ${currentOf("coalesce(sum(size), 0)")},
      history_bytes = ${historyOf}`,
  },
  {
    what: "wrong sums of the whole store",
    count: `SELECT count(*) AS n FROM store WHERE files <> (SELECT count(*) FROM file WHERE state = 0)
      OR physical_bytes <> (SELECT coalesce(sum(size), 0) FROM blob)`,
    repair: `UPDATE store SET files = (SELECT count(*) FROM file WHERE state = 0),
      physical_bytes = (SELECT coalesce(sum(size), 0) FROM blob)`,
  },
];

/** What is kept and does not agree with the rows, in words. */
export function findWrongSums(reader: Reader): string[] {
  return kept.flatMap(({ what, count }) => {
    const wrong = reader.get<{ n: number }>(count)?.n ?? 0;
    return wrong === 0 ? [] : [`${wrong} ${what}`];
  });
}

/** The same, and puts it right, in an order in which each follows from those before. */
export function repairSums(writer: Writer): string[] {
  return kept.flatMap(({ what, count, repair }) => {
    const wrong = writer.get<{ n: number }>(count)?.n ?? 0;
    if (wrong === 0) return [];
    writer.exec(repair);
    return [`${wrong} ${what}`];
  });
}

/** Contents that are needed and of which nothing is known. */
export function findLostContents(reader: Reader): string[] {
  return reader
    .all<{ sha256: string }>(
      `SELECT DISTINCT sha256 FROM (${needs}) WHERE sha256 NOT IN (SELECT sha256 FROM blob) ORDER BY sha256`,
    )
    .map(({ sha256 }) => sha256);
}

/** What SQLite finds wrong with the file; empty for a sound one. */
export function findDatabaseFaults(reader: Reader): string[] {
  const rows = reader.all<{ integrity_check: string }>("PRAGMA integrity_check(20)");
  return rows.map((row) => row.integrity_check).filter((text) => text !== "ok");
}
