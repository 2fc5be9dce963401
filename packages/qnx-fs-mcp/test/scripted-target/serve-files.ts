import { readAttributes, writeAttributes } from "../../src/adapters/sftp/attributes.ts";
import { packetType, statusCode } from "../../src/adapters/sftp/packet-type.ts";
import { type WireReader, WireWriter } from "../../src/adapters/sftp/wire.ts";
import { bytesIn, dropNode, nodeAt, putNode, type Spot, spotOf } from "./changes.ts";
import { type Bytes, contentOf, find, type Node } from "./tree.ts";

/** How a target stores files, where it is not as it should be. */
export interface StoreQuirks {
  /** Bytes that all files together may have; what would be more fails as vaguely as everything. */
  readonly capacity?: number;
  /** Keeps only so many bytes of each file, and says that all is well. */
  readonly keepsOnly?: number;
  /** Below this path nothing can be changed. */
  readonly readOnly?: Bytes;
  /** The longest answer to READ. */
  readonly longestRead?: number;
}

interface OpenFile {
  readonly spot: Spot;
  /** Kept apart from the tree: a file that is removed while open lives on. */
  node: Node;
}

/** The requests about the content of files and about changes, with their answers. */
export class FileRequests {
  readonly #root: () => Node;
  readonly #extensions: Readonly<Record<string, string>>;
  readonly #quirks: StoreQuirks;
  readonly #handles = new Map<string, OpenFile>();
  #next = 0;

  constructor(root: () => Node, extensions: Readonly<Record<string, string>>, quirks: StoreQuirks) {
    this.#root = root;
    this.#extensions = extensions;
    this.#quirks = quirks;
  }

  pathOf(handle: string): Bytes | undefined {
    return this.#handles.get(handle)?.spot.real;
  }

  /** The answer to a request; undefined where it is none of these. */
  answer(type: number, id: number, subject: Bytes, rest: WireReader): Buffer | undefined {
    const open = this.#handles.get(subject);
    switch (type) {
      case packetType.open:
        return this.#open(id, subject, rest.uint32(), readAttributes(rest).mode ?? 0o644);
      case packetType.read:
        return open && this.#read(id, open, rest.uint64(), rest.uint32());
      case packetType.write:
        return open && this.#write(id, open, rest.uint64(), rest.string());
      case packetType.fstat:
        return open && attributesReply(id, nodeAt(open.spot) ?? open.node);
      case packetType.fsetstat:
        return open && this.#setMode(id, open, readAttributes(rest).mode);
      case packetType.close:
        return this.#handles.delete(subject) ? ok(id) : undefined;
      case packetType.setstat: {
        const found = find(this.#root(), subject, true);
        if (!("node" in found)) return status(id, statusCode.noSuchFile);
        const spot = spotOf(this.#root(), found.path);
        if (spot === undefined || this.#fixed(spot)) return status(id, statusCode.permissionDenied);
        return this.#setMode(id, { spot, node: found.node }, readAttributes(rest).mode);
      }
      case packetType.mkdir:
        return this.#make(id, subject, readAttributes(rest).mode ?? 0o755);
      case packetType.remove:
      case packetType.rmdir:
        return this.#remove(id, subject, type === packetType.rmdir);
      case packetType.rename:
        return this.#rename(id, subject, rest.string().toString("latin1"), false);
      case packetType.extended:
        return this.#extended(id, subject, rest);
      default:
        return undefined;
    }
  }

  #extended(id: number, name: string, rest: WireReader): Buffer {
    if (!(name in this.#extensions)) return status(id, statusCode.unsupported);
    if (name === "fsync@openssh.com") return ok(id);
    const path = rest.string().toString("latin1");
    if (name === "posix-rename@openssh.com")
      return this.#rename(id, path, rest.string().toString("latin1"), true);
    const capacity = this.#quirks.capacity ?? 2 ** 30;
    const free = Math.max(0, capacity - bytesIn(this.#root()));
    const numbers = [1, 1, capacity, free, free, 0, 0, 0, 0, 0, 255];
    const writer = new WireWriter().uint8(packetType.extendedReply).uint32(id);
    for (const number of numbers) writer.uint64(number);
    return writer.packet();
  }

  #open(id: number, path: Bytes, flags: number, mode: number): Buffer {
    const found = find(this.#root(), path, true);
    if ("refused" in found)
      return status(id, found.refused === "denied" ? statusCode.permissionDenied : statusCode.failure);
    if ("missing" in found && found.missing !== "last") return status(id, statusCode.noSuchFile);
    const writing = (flags & 2) !== 0;
    let node = "node" in found ? found.node : undefined;
    const spot = spotOf(this.#root(), found.path);
    if (spot === undefined) return status(id, statusCode.noSuchFile);
    if (writing) {
      if (this.#fixed(spot)) return status(id, statusCode.permissionDenied);
      if (node !== undefined) return status(id, statusCode.failure);
      // In RAM a file is a shared memory object, as on a target.
      const bits = isRam(spot.real) ? 0o050000 : 0o100000;
      node = {
        attributes: { size: 0, uid: 0, gid: 0, mode: bits | mode, mtime: now() },
        content: Buffer.alloc(0),
      };
      putNode(spot, node);
    }
    if (node === undefined) return status(id, statusCode.noSuchFile);
    if (node.denied) return status(id, statusCode.permissionDenied);
    if (node.entries !== undefined) return status(id, statusCode.failure);
    const handle = `file ${this.#next++}`;
    this.#handles.set(handle, { spot, node });
    return new WireWriter().uint8(packetType.handle).uint32(id).string(handle).packet();
  }

  #read(id: number, { node, spot }: OpenFile, position: number, length: number): Buffer {
    const most = Math.min(length, this.#quirks.longestRead ?? length);
    const bytes = contentOf(nodeAt(spot) ?? node).subarray(position, position + most);
    if (bytes.length === 0) return status(id, statusCode.eof);
    return new WireWriter().uint8(packetType.data).uint32(id).string(bytes).packet();
  }

  #write(id: number, open: OpenFile, position: number, bytes: Buffer): Buffer {
    const before = contentOf(open.node);
    const end = Math.min(position + bytes.length, this.#quirks.keepsOnly ?? Number.POSITIVE_INFINITY);
    const more = Math.max(0, end - before.length);
    if (bytesIn(this.#root()) + more > (this.#quirks.capacity ?? Number.POSITIVE_INFINITY)) {
      return status(id, statusCode.failure);
    }
    const content = more > 0 ? Buffer.concat([before, Buffer.alloc(more)]) : before;
    bytes.copy(content, position, 0, Math.max(0, end - position));
    this.#change(open, {
      ...open.node,
      content,
      attributes: { ...open.node.attributes, size: content.length, mtime: now() },
    });
    return ok(id);
  }

  #setMode(id: number, open: OpenFile, mode = 0o644): Buffer {
    const type = (open.node.attributes.mode ?? 0) & ~0o7777;
    this.#change(open, {
      ...open.node,
      attributes: { ...open.node.attributes, mode: type | (mode & 0o7777) },
    });
    return ok(id);
  }

  /** A changed file, in the tree too unless it was removed from there. */
  #change(open: OpenFile, node: Node): void {
    if (nodeAt(open.spot) === open.node) putNode(open.spot, node);
    open.node = node;
  }

  #make(id: number, path: Bytes, mode: number): Buffer {
    const spot = spotOf(this.#root(), path);
    if (spot === undefined) return status(id, statusCode.noSuchFile);
    if (this.#fixed(spot)) return status(id, statusCode.permissionDenied);
    if (nodeAt(spot) !== undefined || isRam(spot.real)) return status(id, statusCode.failure);
    putNode(spot, {
      attributes: { size: 0, uid: 0, gid: 0, mode: 0o040000 | mode, mtime: now() },
      entries: [],
    });
    return ok(id);
  }

  #remove(id: number, path: Bytes, directory: boolean): Buffer {
    const spot = spotOf(this.#root(), path);
    const node = spot && nodeAt(spot);
    if (spot === undefined || node === undefined) return status(id, statusCode.noSuchFile);
    if (this.#fixed(spot)) return status(id, statusCode.permissionDenied);
    if ((node.entries !== undefined) !== directory || (node.entries?.length ?? 0) > 0 || node.vague) {
      return status(id, statusCode.failure);
    }
    dropNode(spot);
    return ok(id);
  }

  #rename(id: number, from: Bytes, to: Bytes, over: boolean): Buffer {
    const [source, target] = [spotOf(this.#root(), from), spotOf(this.#root(), to)];
    const node = source && nodeAt(source);
    if (source === undefined || target === undefined || node === undefined)
      return status(id, statusCode.noSuchFile);
    if (this.#fixed(source) || this.#fixed(target)) return status(id, statusCode.permissionDenied);
    const there = nodeAt(target);
    if (
      isRam(source.real) ||
      isRam(target.real) ||
      (there !== undefined && (!over || there.entries !== undefined))
    ) {
      return status(id, statusCode.failure);
    }
    dropNode(source);
    putNode(target, node);
    return ok(id);
  }

  #fixed({ real, directory }: Spot): boolean {
    const { readOnly } = this.#quirks;
    return directory.denied === true || (readOnly !== undefined && `${real}/`.startsWith(`${readOnly}/`));
  }
}

/** /dev/shmem knows no directories and no renaming. */
function isRam(real: Bytes): boolean {
  return real.startsWith("/dev/shmem/");
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}

const texts: Readonly<Record<number, string>> = {
  [statusCode.ok]: "Success",
  [statusCode.eof]: "End of file",
  [statusCode.noSuchFile]: "No such file",
  [statusCode.permissionDenied]: "Permission denied",
  [statusCode.failure]: "Failure",
  [statusCode.unsupported]: "Operation unsupported",
};

function status(id: number, code: number): Buffer {
  return new WireWriter()
    .uint8(packetType.status)
    .uint32(id)
    .uint32(code)
    .string(texts[code] ?? "Failure")
    .string("")
    .packet();
}

function ok(id: number): Buffer {
  return status(id, statusCode.ok);
}

function attributesReply(id: number, { attributes }: Node): Buffer {
  return writeAttributes(new WireWriter().uint8(packetType.attrs).uint32(id), attributes).packet();
}
