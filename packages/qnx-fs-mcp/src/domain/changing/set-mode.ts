import { kindOf, modeText } from "../entry-type.ts";
import { QnxFsError } from "../errors.ts";
import type { OpenTarget } from "../targets.ts";
import { locateForWriting, lstatWritable } from "./locate-for-writing.ts";

export interface SetMode {
  readonly realPath: string;
  /** Octal text. */
  readonly before: string | null;
  /** As the target tells it afterwards; some file systems have modes of their own. */
  readonly after: string | null;
}

/** Sets the permission bits of what is at a path; not through a link. */
export async function setMode(
  target: OpenTarget,
  path: string,
  mode: number,
  signal: AbortSignal,
): Promise<SetMode> {
  const located = await locateForWriting(target, path, signal);
  const before = await lstatWritable(target, located, signal);
  if (kindOf(before.mode, undefined, located.directory)?.type === "symlink") {
    throw new QnxFsError("IS_LINK", { target: target.target, path });
  }
  await target.files.setMode(located.realPath, mode, signal);
  const after = await target.files.lstat(located.realPath, signal);
  return { realPath: located.realPath, before: modeText(before.mode), after: modeText(after.mode) };
}
