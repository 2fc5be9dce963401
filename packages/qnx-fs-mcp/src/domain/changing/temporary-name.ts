/** Names of what a transfer makes for a time: short, as QNX's oldest file system takes 48 bytes. */
const part = /^\.qfs-[0-9a-z]{8}\.part$/;

/** A name for a time; `id` are 8 letters and digits. `.part` is a file that is being put, `.old` one that is being replaced. */
export function temporaryName(id: string, suffix: ".part" | ".old"): string {
  return `.qfs-${id}${suffix}`;
}

/** Whether a name is that of a file that was being put. */
export function isPartName(name: string): boolean {
  return part.test(name);
}
