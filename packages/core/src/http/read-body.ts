import type { LargeMessages } from "../large-messages.ts";

/**
 * The text of a request's body; undefined where it is longer than `maxBytes`. Its pieces are put together in memory
 * that grows where it lies and is given back at once, as those of a line on stdin. Throws where the body breaks off.
 */
export async function readBody(
  request: Request,
  maxBytes: number,
  large: LargeMessages,
): Promise<string | undefined> {
  const declared = Number(request.headers.get("content-length"));
  if (declared > maxBytes) return undefined;
  if (request.body === null) return "";
  // Address space is reserved for all that may come: most messages say that they are small.
  const memory = new ArrayBuffer(0, { maxByteLength: declared || maxBytes });
  const reader = request.body.getReader();
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (length + value.length > maxBytes) return undefined;
    memory.resize(length + value.length);
    new Uint8Array(memory).set(value, length);
    length += value.length;
    large.coming(length);
  }
  const text = Buffer.from(memory).toString();
  memory.resize(0);
  return text;
}
