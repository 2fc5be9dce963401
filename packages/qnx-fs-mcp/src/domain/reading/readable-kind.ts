import { kindOf } from "../entry-type.ts";
import { QnxFsError } from "../errors.ts";
import type { Attributes } from "../remote-files.ts";
import { isWithin, nameOf, parentOf } from "../remote-path.ts";
import type { Place } from "../roots.ts";

/** Files that give no size and no end that can be foreseen. */
export function isProcessFile(realPath: string): boolean {
  return isWithin(realPath, "/proc") && !isWithin(realPath, "/proc/boot");
}

/**
 * Refuses, before it is opened, what must not be: anything but regular files, objects in /dev/shmem and files of /proc.
 * Opening a FIFO blocks the channel, a device may do anything, `as` is the memory of a process and `ctl` steers it.
 */
export function assertReadable(place: Place, path: string, realPath: string, { mode }: Attributes): void {
  const kind = kindOf(mode, undefined, parentOf(realPath)) ?? { type: "file" as const };
  const refuse = (type: string): never => {
    throw new QnxFsError("NOT_A_FILE", { target: place.target, path, type });
  };
  if (kind.type !== "file" && kind.detail !== "shm") refuse(kind.detail ?? kind.type);
  if (isWithin(realPath, "/dev") && !isWithin(realPath, "/dev/shmem")) refuse("file below /dev");
  if (isProcessFile(realPath) && nameOf(realPath) === "as") refuse("process memory");
  if (isProcessFile(realPath) && nameOf(realPath) === "ctl") refuse("process control");
}
