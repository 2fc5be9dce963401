/** One call of a tool, for the log and the counters: what it touched and how it ended, never contents. */
export interface CallReport {
  readonly tool: string;
  /** Who called. */
  readonly caller: string;
  /** What it was about, such as an app and a path; empty where the tool does not say. */
  readonly subject: string;
  /** `ok` or the failure's code. */
  readonly outcome: string;
  readonly durationMs: number;
}

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 45];

/** Counters of calls, written in Prometheus' text format 0.0.4. */
export class Metrics {
  readonly #outcomes = new Map<string, number>();
  readonly #latencies = new Map<string, { counts: number[]; sum: number; total: number }>();

  count({ tool, outcome, durationMs }: CallReport): void {
    const key = `tool="${tool}",outcome="${outcome}"`;
    this.#outcomes.set(key, (this.#outcomes.get(key) ?? 0) + 1);
    const latency = this.#latencies.get(tool) ?? { counts: buckets.map(() => 0), sum: 0, total: 0 };
    this.#latencies.set(tool, latency);
    const seconds = durationMs / 1000;
    latency.sum += seconds;
    latency.total += 1;
    for (const [index, bound] of buckets.entries()) {
      if (seconds <= bound) latency.counts[index] = (latency.counts[index] ?? 0) + 1;
    }
  }

  /** The counters, with gauges that the caller adds. */
  write(gauges: Readonly<Record<string, number>>): string {
    const lines = ["# TYPE mcp_calls_total counter"];
    for (const [labels, count] of this.#outcomes) lines.push(`mcp_calls_total{${labels}} ${count}`);
    lines.push("# TYPE mcp_call_seconds histogram");
    for (const [tool, { counts, sum, total }] of this.#latencies) {
      for (const [index, bound] of buckets.entries()) {
        lines.push(`mcp_call_seconds_bucket{tool="${tool}",le="${bound}"} ${counts[index]}`);
      }
      lines.push(`mcp_call_seconds_bucket{tool="${tool}",le="+Inf"} ${total}`);
      lines.push(
        `mcp_call_seconds_sum{tool="${tool}"} ${sum}`,
        `mcp_call_seconds_count{tool="${tool}"} ${total}`,
      );
    }
    for (const [name, value] of Object.entries(gauges))
      lines.push(`# TYPE ${name} gauge`, `${name} ${value}`);
    return `${lines.join("\n")}\n`;
  }
}
