import { QnxFsError } from "./errors.ts";

/** Reads an RFC 3339 time, or a date alone, as seconds since 1970. Fails with INVALID_ARGUMENT. */
export function parseTime(argument: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const full = /^\d{4}-\d\d-\d\d([Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)?)?$/.exec(text);
  // Without a zone it is UTC, as all times of this server are.
  const zoned = full?.[1] === undefined || full[4] !== undefined ? text : `${text}Z`;
  const time = full === null ? Number.NaN : Date.parse(zoned.replace(" ", "T"));
  if (!Number.isNaN(time)) return time / 1000;
  throw new QnxFsError("INVALID_ARGUMENT", {
    argument,
    problem: `${JSON.stringify(text)} is no date or time`,
    next: `Pass ${argument} as 2026-11-30 or 2026-11-30T08:00:00Z, by the target's clock in UTC.`,
  });
}
