/** Bounds on what one token may do. */
export interface ThrottleLimits {
  readonly requestsPerMinute: number;
  readonly concurrent: number;
}

/** A pass for one request; `undefined` retry means that it may go on. */
export interface Throttle {
  /** Begins a request of `name`: how to end it, or after how many seconds to try again. */
  enter(name: string): { readonly leave: () => void } | { readonly retryAfterSeconds: number };
}

interface Bucket {
  tokens: number;
  filledAt: number;
  running: number;
}

/** Names that are kept before those are forgotten who have all of their requests again. */
const mostNames = 1_000;

/** A token bucket and a count of running requests for each name, so that a busy client is slowed alone. */
export function createThrottle(
  { requestsPerMinute, concurrent }: ThrottleLimits,
  now: () => number,
): Throttle {
  const buckets = new Map<string, Bucket>();
  const perMs = requestsPerMinute / 60_000;
  function fill(bucket: Bucket): void {
    bucket.tokens = Math.min(requestsPerMinute, bucket.tokens + (now() - bucket.filledAt) * perMs);
    bucket.filledAt = now();
  }
  /** An authorization server may name callers without end. */
  function forgetRested(): void {
    for (const [name, bucket] of buckets) {
      fill(bucket);
      if (bucket.running === 0 && bucket.tokens >= requestsPerMinute) buckets.delete(name);
    }
  }
  return {
    enter(name) {
      if (buckets.size >= mostNames && !buckets.has(name)) forgetRested();
      const bucket = buckets.get(name) ?? { tokens: requestsPerMinute, filledAt: now(), running: 0 };
      buckets.set(name, bucket);
      fill(bucket);
      if (bucket.running >= concurrent) return { retryAfterSeconds: 1 };
      if (bucket.tokens < 1) return { retryAfterSeconds: Math.ceil((1 - bucket.tokens) / perMs / 1000) };
      bucket.tokens -= 1;
      bucket.running += 1;
      let left = false;
      return {
        leave: () => {
          if (!left) bucket.running -= 1;
          left = true;
        },
      };
    },
  };
}
