import { QnxFsError } from "../errors.ts";

const mostFiles = 2_000;

/** An entry of a tree that was not copied. */
export interface Skipped {
  /** From the top of the tree. */
  readonly path: string;
  readonly reason: string;
}

/** Refuses a tree that is too much for one call. */
export function treeFiles(argument: string, path: string, files: number, bytes: number, most: number): void {
  if (files > mostFiles) throw refuseTree(argument, path, `it holds ${files} files, more than ${mostFiles}`);
  if (bytes <= most) return;
  throw new QnxFsError("INVALID_ARGUMENT", {
    argument: "max_mb",
    problem: `${JSON.stringify(path)} holds ${bytes} bytes, more than the ${Math.round(most / 2 ** 20)} MiB of max_mb`,
    next: "Pass a larger max_mb if it is really wanted whole.",
  });
}

export function refuseTree(argument: string, path: string, why: string): QnxFsError {
  return new QnxFsError("INVALID_ARGUMENT", {
    argument,
    problem: `${JSON.stringify(path)} cannot be copied as a whole: ${why}`,
    next: `Pass what is wanted of it one by one as ${argument}.`,
  });
}
