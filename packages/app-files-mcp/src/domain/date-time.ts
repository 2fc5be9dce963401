const pattern = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?([Zz]|[+-]\d{2}:\d{2})$/;

/** Milliseconds since 1970 of an RFC 3339 date-time with its offset; undefined for any other text. */
export function parseDateTime(text: string): number | undefined {
  if (!pattern.test(text)) return undefined;
  const time = Date.parse(text.replace(" ", "T").toUpperCase());
  if (Number.isNaN(time)) return undefined;
  // Date.parse takes 31 February for 3 March.
  const day = Number(text.slice(8, 10));
  const lastDay = new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate();
  return day <= lastDay ? time : undefined;
}

export function formatDateTime(time: number): string {
  return new Date(time).toISOString();
}
