import { AppFilesError } from "./errors.ts";

/** Which part of a file is wanted; `length` is Infinity where as much as fits is. */
export type ReadWindow =
  | { readonly kind: "bytes"; readonly offset: number; readonly length: number }
  | { readonly kind: "lines"; readonly first: number; readonly last: number; readonly length: number };

export interface WindowArguments {
  readonly offset?: number | undefined;
  readonly length?: number | undefined;
  readonly start_line?: number | undefined;
  readonly end_line?: number | undefined;
  readonly as: "auto" | "text" | "base64";
}

/**
 * The window that arguments ask for.
 *
 * @throws AppFilesError INVALID_ARGUMENT for arguments that exclude each other.
 */
export function windowOf({ offset, length, start_line, end_line, as }: WindowArguments): ReadWindow {
  if (start_line === undefined && end_line === undefined) {
    return { kind: "bytes", offset: offset ?? 0, length: length ?? Number.POSITIVE_INFINITY };
  }
  const lines = start_line === undefined ? "end_line" : "start_line";
  if (offset !== undefined || length !== undefined) {
    refuse(
      lines,
      "cannot be used together with offset and length",
      `Call again without ${lines}, or with lines alone.`,
    );
  }
  if (as === "base64") {
    refuse(
      lines,
      "cannot be used together with as base64",
      "Call again with offset and length, or with as text.",
    );
  }
  const first = start_line ?? 1;
  const last = end_line ?? Number.POSITIVE_INFINITY;
  if (last < first) {
    refuse(
      "end_line",
      `must not be before start_line ${first}, but is ${last}`,
      `Call again with end_line of at least ${first}.`,
    );
  }
  return { kind: "lines", first, last, length: Number.POSITIVE_INFINITY };
}

/** @throws AppFilesError INVALID_ARGUMENT for an offset beyond the end; the end itself is fine. */
export function checkOffset(window: ReadWindow, size: number): void {
  if (window.kind === "lines" || window.offset <= size) return;
  refuse(
    "offset",
    `${window.offset} is beyond the end; the file has ${size} bytes`,
    `Call again with offset of ${size} at most.`,
  );
}

function refuse(argument: string, problem: string, next: string): never {
  throw new AppFilesError("INVALID_ARGUMENT", { argument, problem, next });
}
