import { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import { parseJson } from "./json.ts";
import { protocolCodes } from "./protocol-error.ts";

/** Bytes of the longest message that is taken: 5 MiB of base64 and what escaping may add to it. */
export const maxMessageBytes = 16 * 1024 * 1024;

/** The answer to what is no message. Source: JSON-RPC 2.0. */
export interface Refusal {
  readonly id: string | number | null;
  readonly code: number;
  readonly message: string;
}

function idOf(message: unknown): Refusal["id"] {
  if (typeof message !== "object" || message === null || !("id" in message)) return null;
  const { id } = message;
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as string | number) : null;
}

/** Reads a text as one message. */
export function readMessage(text: string): JSONRPCMessage | { readonly refusal: Refusal } {
  const given = parseJson(text);
  const parsed = JSONRPCMessageSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const { parseError: code, invalidRequest } = protocolCodes;
  if (given === undefined) return { refusal: { id: null, code, message: "the message is no JSON" } };
  const message = Array.isArray(given)
    ? "batches are not supported; send one message at a time"
    : "the message is no JSON-RPC 2.0 request";
  return { refusal: { id: idOf(given), code: invalidRequest, message } };
}
