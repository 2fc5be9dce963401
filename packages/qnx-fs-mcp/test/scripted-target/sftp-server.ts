import type { Duplex } from "node:stream";
import { writeAttributes } from "../../src/adapters/sftp/attributes.ts";
import { PacketSplitter } from "../../src/adapters/sftp/packet-splitter.ts";
import { packetType, requestName, statusCode } from "../../src/adapters/sftp/packet-type.ts";
import { type WireReader, WireWriter } from "../../src/adapters/sftp/wire.ts";
import { FileRequests, type StoreQuirks } from "./serve-files.ts";
import { type Bytes, type Found, find, longName, type Node } from "./tree.ts";

/**
 * What a request may come to besides its answer. `pause`: no answer now or ever. `drop`: it is done, and the line goes
 * dead in the middle of the answer; `lose`: the line goes dead before it is done. `refuse`: nothing is done, and
 * "Failure" is the answer.
 */
export type Behaviour = "answer" | "pause" | "drop" | "lose" | "refuse";

export interface SftpServerOptions {
  readonly root: () => Node;
  readonly home: string;
  readonly extensions: Readonly<Record<string, string>>;
  /** Entries in one READDIR answer. */
  readonly batch: number;
  readonly behave: (request: string, path: Bytes) => Behaviour;
  /** Bytes that are sent in place of the right answer. */
  readonly forge: (request: string, path: Bytes, id: number) => Buffer | undefined;
  readonly version: number;
  readonly cut: () => void;
  readonly store: StoreQuirks;
}

interface OpenDirectory {
  readonly path: Bytes;
  readonly entries: readonly (readonly [Bytes, Node])[];
  at: number;
}

/** Serves a tree in SFTP version 3 over a channel, as the sftp-server of a target would. */
export function serveSftp(channel: Duplex, options: SftpServerOptions): void {
  const splitter = new PacketSplitter();
  const handles = new Map<string, OpenDirectory>();
  const files = new FileRequests(options.root, options.extensions, options.store);
  let nextHandle = 0;

  const send = (packet: Buffer): void => {
    if (channel.writable) channel.write(packet);
  };
  const reply = (type: number, id: number, write: (writer: WireWriter) => WireWriter): Buffer =>
    write(new WireWriter().uint8(type).uint32(id)).packet();
  const status = (id: number, code: number, text: string): Buffer =>
    reply(packetType.status, id, (writer) => writer.uint32(code).string(text).string(""));
  const notFound = (id: number): Buffer => status(id, statusCode.noSuchFile, "No such file");
  const refusal = (id: number, found: Exclude<Found, { node: Node }>): Buffer => {
    if ("missing" in found) return notFound(id);
    return found.refused === "denied"
      ? status(id, statusCode.permissionDenied, "Permission denied")
      : status(id, statusCode.failure, "Failure");
  };
  const oneName = (id: number, name: Bytes): Buffer =>
    reply(packetType.name, id, (writer) =>
      writeAttributes(
        writer.uint32(1).string(Buffer.from(name, "latin1")).string(Buffer.from(name, "latin1")),
        {},
      ),
    );

  function answer(type: number, id: number, subject: Bytes, rest: WireReader): Buffer {
    const root = options.root();
    const about = files.answer(type, id, subject, rest);
    if (about !== undefined) return about;
    switch (type) {
      case packetType.realpath: {
        const path = subject.startsWith("/") ? subject : `${options.home}/${subject}`;
        const found = find(root, path, true);
        if ("node" in found || ("missing" in found && found.missing === "last"))
          return oneName(id, found.path);
        return refusal(id, found);
      }
      case packetType.lstat:
      case packetType.stat: {
        const found = find(root, subject, type === packetType.stat);
        if (!("node" in found)) return refusal(id, found);
        const { attributes, noTypeBits } = found.node;
        return reply(packetType.attrs, id, (writer) =>
          writeAttributes(writer, noTypeBits === "everywhere" ? withoutType(attributes) : attributes),
        );
      }
      case packetType.readlink: {
        const found = find(root, subject, false);
        if (!("node" in found)) return refusal(id, found);
        const { link } = found.node;
        return link === undefined ? status(id, statusCode.failure, "Failure") : oneName(id, link);
      }
      case packetType.opendir: {
        const found = find(root, subject, true);
        if (!("node" in found)) return refusal(id, found);
        if (found.node.denied) return status(id, statusCode.permissionDenied, "Permission denied");
        if (found.node.entries === undefined) return notFound(id);
        const handle = String(nextHandle++);
        const dots = [".", ".."].map((name) => [name, found.node] as const);
        handles.set(handle, { path: found.path, entries: [...dots, ...found.node.entries], at: 0 });
        return reply(packetType.handle, id, (writer) => writer.string(handle));
      }
      case packetType.readdir: {
        const open = handles.get(subject);
        if (open === undefined) return status(id, statusCode.failure, "Invalid handle");
        const entries = open.entries.slice(open.at, open.at + options.batch);
        open.at += entries.length;
        if (entries.length === 0) return status(id, statusCode.eof, "End of file");
        return reply(packetType.name, id, (writer) => {
          writer.uint32(entries.length);
          for (const [name, node] of entries) writeEntry(writer, name, node);
          return writer;
        });
      }
      case packetType.close:
        return handles.delete(subject)
          ? status(id, statusCode.ok, "Success")
          : status(id, statusCode.failure, "Failure");
      default:
        return status(id, statusCode.unsupported, "Operation unsupported");
    }
  }

  channel.on("data", (chunk: Buffer) => {
    for (const reader of splitter.push(chunk)) {
      const type = reader.uint8();
      if (type === packetType.init) {
        const version = new WireWriter().uint8(packetType.version).uint32(options.version);
        for (const [name, value] of Object.entries(options.extensions)) version.string(name).string(value);
        send(version.packet());
        continue;
      }
      const id = reader.uint32();
      const subject = reader.string().toString("latin1");
      const path = handles.get(subject)?.path ?? files.pathOf(subject) ?? subject;
      const behaviour = options.behave(requestName(type), path);
      if (behaviour === "pause") continue;
      if (behaviour === "lose") {
        options.cut();
        return;
      }
      const bytes =
        options.forge(requestName(type), path, id) ??
        (behaviour === "refuse"
          ? status(id, statusCode.failure, "Failure")
          : answer(type, id, subject, reader));
      if (behaviour === "drop") {
        send(bytes.subarray(0, bytes.length >> 1));
        options.cut();
        return;
      }
      send(bytes);
    }
  });
}

function writeEntry(writer: WireWriter, name: Bytes, node: Node): void {
  const attributes = node.noTypeBits === undefined ? node.attributes : withoutType(node.attributes);
  const line = node.noLongName ? "" : longName(name, node);
  writeAttributes(writer.string(Buffer.from(name, "latin1")).string(Buffer.from(line, "latin1")), attributes);
}

function withoutType(attributes: Node["attributes"]): Node["attributes"] {
  return { ...attributes, mode: (attributes.mode ?? 0) & 0o7777 };
}
