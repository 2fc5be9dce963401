import { VaultError } from "../errors.ts";

/** Where a reading goes on. */
export interface ReadPosition {
  /** Index of the document in the request. */
  readonly index: number;
  /** UTF-16 units of its text that were given out already. */
  readonly offset: number;
  /** The tag of the content that they were of; empty at a document's beginning. */
  readonly etag: string;
}

/** Which part of each document is wanted; everything where nothing is said. */
export interface ReadTarget {
  readonly section: string | undefined;
  readonly startLine: number | undefined;
  readonly endLine: number | undefined;
}

export interface ReadRequest {
  /** As the caller wrote them. */
  readonly paths: readonly string[];
  /** Whether several were asked for, each with an answer or an error of its own. */
  readonly several: boolean;
  readonly target: ReadTarget;
  /** Where to go on. */
  readonly from: ReadPosition | undefined;
}

/** What a caller asks a reading for, in its words. */
export interface ReadArguments {
  readonly path?: string | undefined;
  readonly paths?: readonly string[] | undefined;
  readonly section?: string | undefined;
  readonly start_line?: number | undefined;
  readonly end_line?: number | undefined;
  readonly version?: string | undefined;
}

function refuse(argument: string, problem: string, next: string): never {
  throw new VaultError("INVALID_ARGUMENT", { argument, problem, next });
}

/** @throws VaultError INVALID_ARGUMENT for arguments that exclude each other */
export function parseReadRequest(args: ReadArguments, from?: ReadPosition): ReadRequest {
  const { path, paths, section, start_line: startLine, end_line: endLine } = args;
  if ((path === undefined) === (paths === undefined)) {
    const problem =
      path === undefined ? "is missing, and so is paths" : "cannot be given together with paths";
    refuse("path", problem, "Call again with path for one document, or with paths for several.");
  }
  if (section !== undefined && (startLine !== undefined || endLine !== undefined)) {
    refuse(
      "section",
      "cannot be given together with start_line or end_line",
      "Call again with section alone, or with start_line and end_line alone.",
    );
  }
  if (section?.trim() === "") {
    refuse("section", "is empty", "Call again with a heading of the outline, or without section.");
  }
  if (startLine !== undefined && endLine !== undefined && endLine < startLine) {
    refuse(
      "end_line",
      `is before start_line ${startLine}`,
      "Call again with end_line at or after start_line.",
    );
  }
  if (args.version !== undefined && paths !== undefined) {
    refuse("version", "cannot be given together with paths", "Call again with path, for one document.");
  }
  return {
    paths: paths ?? [path ?? ""],
    several: paths !== undefined,
    target: { section, startLine, endLine },
    from,
  };
}
