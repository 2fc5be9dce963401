/** How bytes are shown. */
export interface ShownBytes {
  readonly encoding: "text" | "base64";
  readonly content: string;
  /** How many of the bytes are in `content`. */
  readonly bytes: number;
  /** Bytes that are not UTF-8 are shown as U+FFFD. */
  readonly lossy: boolean;
}

export interface ShowRequest {
  readonly as: "auto" | "text" | "base64";
  /** Whether `bytes` are the last ones of the file: what ends inside a character then ends there for good. */
  readonly atEnd: boolean;
  /** Whether a content can be in the answer. */
  readonly fits: (content: string) => boolean;
  /** Bytes of base64 that are shown though nobody asked for it. */
  readonly unaskedBase64: number;
}

/** Shows as many of the bytes as fit, from the first one on: as text where they are UTF-8 without NUL, else in base64. */
export function showBytes(bytes: Buffer, { as, atEnd, fits, unaskedBase64 }: ShowRequest): ShownBytes {
  const whole = atEnd ? bytes : bytes.subarray(0, bytes.length - incompleteEnd(bytes));
  const usable = whole.length > 0 ? whole : bytes;
  if (as === "base64" || (as === "auto" && !isText(usable))) {
    const offered = as === "base64" ? bytes : bytes.subarray(0, unaskedBase64);
    const size = largest(offered.length, (size) => fits(offered.toString("base64", 0, size)));
    return { encoding: "base64", content: offered.toString("base64", 0, size), bytes: size, lossy: false };
  }
  const size = largest(usable.length, (size) => fits(usable.toString("utf8", 0, size)));
  const shown = size === usable.length ? usable : trimmed(usable.subarray(0, size));
  const content = shown.toString("utf8");
  return {
    encoding: "text",
    content,
    bytes: shown.length,
    lossy: !Buffer.from(content, "utf8").equals(shown),
  };
}

function isText(bytes: Buffer): boolean {
  return !bytes.includes(0) && Buffer.from(bytes.toString("utf8"), "utf8").equals(bytes);
}

function trimmed(bytes: Buffer): Buffer {
  const whole = bytes.subarray(0, bytes.length - incompleteEnd(bytes));
  return whole.length > 0 ? whole : bytes;
}

/** How many bytes at the end begin a character that is not all there. */
function incompleteEnd(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return wanted > back ? back : 0;
  }
  return 0;
}

/** The largest size up to `max` that passes; `passes` never turns true again as sizes grow. */
function largest(max: number, passes: (size: number) => boolean): number {
  if (passes(max)) return max;
  let [low, high] = [0, max];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (passes(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Like `showBytes`, but the last bytes are kept where not all fit, from the beginning of a line where there is one. */
export function showLastBytes(
  bytes: Buffer,
  request: ShowRequest,
): ShownBytes & { readonly skipped: number } {
  let skipped = 0;
  for (;;) {
    const left = bytes.subarray(skipped);
    const shown = showBytes(left, { ...request, unaskedBase64: left.length });
    if (shown.bytes >= left.length || left.length === 0) return { ...shown, skipped };
    const newline = left.indexOf(0x0a, left.length - shown.bytes);
    skipped += newline === -1 || newline + 1 === left.length ? left.length - shown.bytes : newline + 1;
  }
}
