/** Packet types. Source: draft-ietf-secsh-filexfer-02, section 3. */
export const packetType = {
  init: 1,
  version: 2,
  open: 3,
  close: 4,
  read: 5,
  write: 6,
  lstat: 7,
  fstat: 8,
  setstat: 9,
  fsetstat: 10,
  opendir: 11,
  readdir: 12,
  remove: 13,
  mkdir: 14,
  rmdir: 15,
  realpath: 16,
  stat: 17,
  rename: 18,
  readlink: 19,
  symlink: 20,
  status: 101,
  handle: 102,
  data: 103,
  name: 104,
  attrs: 105,
  extended: 200,
  extendedReply: 201,
} as const;

/** Status codes. Source: the same draft, section 7. */
export const statusCode = {
  ok: 0,
  eof: 1,
  noSuchFile: 2,
  permissionDenied: 3,
  failure: 4,
  badMessage: 5,
  noConnection: 6,
  connectionLost: 7,
  unsupported: 8,
} as const;

/** A request's name as people know it, such as `READDIR`. */
export function requestName(type: number): string {
  const found = Object.entries(packetType).find(([, value]) => value === type);
  return found === undefined ? `request ${type}` : found[0].toUpperCase();
}
