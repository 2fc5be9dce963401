import type { Reply } from "./sftp-session.ts";
import { MalformedPacket, type WireReader } from "./wire.ts";

/** The fields of a reply that must be of a type. */
export function expectReply({ type, body }: Reply, expected: number): WireReader {
  if (type !== expected) throw new MalformedPacket(`a reply of type ${type} where ${expected} was due`);
  return body;
}
