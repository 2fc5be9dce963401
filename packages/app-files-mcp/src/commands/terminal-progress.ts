import type { Terminal } from "@mcp-file-servers/core";
import { SingleBar } from "cli-progress";

/** Shows how far something is. */
export interface TerminalProgress {
  /** Bytes. */
  update(done: number, total: number): void;
  /** Ends the line; to be called before anything else is said. */
  end(): void;
}

const mebibyte = 1024 ** 2;

/** A bar on stderr; without a terminal behind it, a line from time to time. */
export function showProgress({ stderr }: Pick<Terminal, "stderr">, what: string): TerminalProgress {
  const bar = new SingleBar({
    stream: stderr,
    format: `${what} {bar} {percentage}% | {value} of {total} MiB | {eta_formatted} left`,
    formatValue: (value, _options, type) =>
      type === "value" || type === "total" ? (value / mebibyte).toFixed(1) : String(value),
    barCompleteChar: "#",
    barIncompleteChar: "-",
    hideCursor: true,
    noTTYOutput: true,
    notTTYSchedule: 5_000,
  });
  let begun = false;
  return {
    update(done, total) {
      if (begun) bar.update(done);
      else bar.start(total, done);
      begun = true;
    },
    end() {
      if (begun) bar.stop();
    },
  };
}
