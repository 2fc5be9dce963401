/** A date or date-time as text says it. */
export interface Moment {
  /** Milliseconds since 1970; of a date its first, and without an offset in the server's time zone. */
  readonly at: number;
  readonly kind: "date" | "local" | "offset";
  /** YYYY-MM-DD as written. */
  readonly date: string;
}

const form =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?: ?([Zz]|[+-]\d{2}:?\d{2}))?)?$/;

/** Reads an ISO 8601 date or date-time (a space may stand for the T); undefined for anything else. */
export function parseMoment(text: string): Moment | undefined {
  const match = form.exec(text.trim());
  if (match === null) return undefined;
  const [, year = "", month = "", day = "", hour, minute = "0", second = "0", fraction = "0", offset] = match;
  const date = `${year}-${month}-${day}`;
  const numbers = [year, month, day, hour ?? "0", minute, second].map(Number);
  const [y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0] = numbers;
  const utc = new Date(Date.UTC(y, mo - 1, d));
  utc.setUTCFullYear(y);
  if (utc.getUTCMonth() !== mo - 1 || utc.getUTCDate() !== d || h > 24 || mi > 59 || s > 60) return undefined;
  const ms = Math.floor(Number(`0.${fraction}`) * 1000);
  if (hour === undefined) return { at: localTime(y, mo, d), kind: "date", date };
  if (offset === undefined) return { at: localTime(y, mo, d, h, mi, s, ms), kind: "local", date };
  const inDay = ((h * 60 + mi) * 60 + s) * 1000 + ms;
  return { at: utc.getTime() + inDay - offsetMs(offset), kind: "offset", date };
}

function localTime(year: number, month: number, ...rest: readonly number[]): number {
  const [day = 1, hour = 0, minute = 0, second = 0, ms = 0] = rest;
  const time = new Date(2000, month - 1, 1, hour, minute, second, ms);
  time.setFullYear(year, month - 1, day);
  return time.getTime();
}

function offsetMs(offset: string): number {
  const digits = /^([+-])(\d{2}):?(\d{2})$/.exec(offset);
  if (digits === null) return 0;
  const [, sign, hours, minutes] = digits;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** The date that clocks on the server show, YYYY-MM-DD. */
export function localDate(now: Date): string {
  const pad = (value: number, length: number) => String(value).padStart(length, "0");
  return `${pad(now.getFullYear(), 4)}-${pad(now.getMonth() + 1, 2)}-${pad(now.getDate(), 2)}`;
}
