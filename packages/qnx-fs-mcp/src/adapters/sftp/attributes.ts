import type { Attributes } from "../../domain/remote-files.ts";
import type { WireReader, WireWriter } from "./wire.ts";

/** Which fields follow. Source: draft-ietf-secsh-filexfer-02, section 5. */
const flag = { size: 1, owner: 2, permissions: 4, times: 8, extended: 0x80000000 } as const;

/** Reads ATTRS. One object and no more: directories bring them by the ten thousand. */
export function readAttributes(reader: WireReader): Attributes {
  const flags = reader.uint32();
  const attributes: { -readonly [Name in keyof Attributes]: Attributes[Name] } = {};
  if (flags & flag.size) {
    const size = reader.uint64();
    // Devices and memory objects tell sizes that no file has and no number holds: they mean nothing.
    if (Number.isSafeInteger(size)) attributes.size = size;
  }
  if (flags & flag.owner) {
    attributes.uid = reader.uint32();
    attributes.gid = reader.uint32();
  }
  if (flags & flag.permissions) attributes.mode = reader.uint32();
  if (flags & flag.times) {
    reader.uint32();
    attributes.mtime = reader.uint32();
  }
  if (flags & flag.extended) {
    for (let left = reader.uint32(); left > 0; left--) {
      reader.string();
      reader.string();
    }
  }
  return attributes;
}

/** Writes ATTRS; the access time is given as the modification time. */
export function writeAttributes(writer: WireWriter, attributes: Attributes): WireWriter {
  const { size, uid, gid, mode, mtime } = attributes;
  const owner = uid !== undefined && gid !== undefined;
  writer.uint32(
    (size === undefined ? 0 : flag.size) |
      (owner ? flag.owner : 0) |
      (mode === undefined ? 0 : flag.permissions) |
      (mtime === undefined ? 0 : flag.times),
  );
  if (size !== undefined) writer.uint64(size);
  if (owner) writer.uint32(uid).uint32(gid);
  if (mode !== undefined) writer.uint32(mode);
  if (mtime !== undefined) writer.uint32(mtime).uint32(mtime);
  return writer;
}
