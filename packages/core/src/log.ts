export const logLevels = ["error", "warn", "info", "debug"] as const;

export type LogLevel = (typeof logLevels)[number];

/** Lines for people, on stderr: stdout carries the protocol. Never contents of files, never secrets. */
export type Log = {
  readonly [Level in LogLevel]: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
};

function show(value: unknown): string {
  if (value instanceof Error) return value.stack ?? String(value);
  return typeof value === "string" && /^[\w./:@-]+$/.test(value)
    ? value
    : (JSON.stringify(value) ?? String(value));
}

/** A log that writes `time level message key=value…` lines of `level` and above. */
export function createLog(
  write: (line: string) => void,
  level: LogLevel,
  now: () => Date = () => new Date(),
): Log {
  const enabled = logLevels.slice(0, logLevels.indexOf(level) + 1);
  const at =
    (name: LogLevel) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}) => {
      if (!enabled.includes(name)) return;
      const pairs = Object.entries(fields).map(([key, value]) => ` ${key}=${show(value)}`);
      write(`${now().toISOString()} ${name} ${message}${pairs.join("")}\n`);
    };
  return { error: at("error"), warn: at("warn"), info: at("info"), debug: at("debug") };
}
