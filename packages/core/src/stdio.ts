import type { Readable, Writable } from "node:stream";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { LargeMessages } from "./large-messages.ts";
import { LineReader } from "./line-reader.ts";
import { maxMessageBytes, type Refusal, readMessage } from "./message.ts";
import { protocolCodes } from "./protocol-error.ts";

/** A request id at the start or the end of a line that was too long to be parsed. */
function findId(head: string, tail: string): string | number | null {
  const value = `(-?\\d{1,16}|"(?:[^"\\\\]|\\\\.)*")`;
  const member = `"(?:jsonrpc|method)"\\s*:\\s*"[^"]*"`;
  const atStart = new RegExp(`^\\s*\\{\\s*(?:${member}\\s*,\\s*)*"id"\\s*:\\s*${value}\\s*,`).exec(head);
  const atEnd = new RegExp(`,\\s*"id"\\s*:\\s*${value}\\s*(?:,\\s*${member}\\s*)*\\}\\s*$`).exec(tail);
  const found = atStart?.[1] ?? atEnd?.[1];
  return found === undefined ? null : (JSON.parse(found) as string | number);
}

/**
 * JSON-RPC over a pair of streams, one message a line. Every line gets an answer where one is due: what is no JSON,
 * no request, or longer than 16 MiB is refused by the protocol's error codes, and the next line is read.
 */
export class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  /** Called once when no more requests can come: end of input, or nobody reads the output. */
  onend?: (reason: "input" | "output") => void;

  readonly #input: Readable;
  readonly #output: Writable;
  readonly #lines: LineReader;
  readonly #large = new LargeMessages();
  #ended = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
    this.#lines = new LineReader(maxMessageBytes, {
      line: (text) => this.#receive(text),
      tooLong: (head, tail) =>
        this.#refuse({
          id: findId(head, tail),
          code: protocolCodes.invalidRequest,
          message: `the request is longer than ${maxMessageBytes} bytes`,
        }),
    });
  }

  async start(): Promise<void> {
    this.#input.on("data", (chunk: Buffer) => {
      this.#lines.push(chunk);
      this.#large.coming(this.#lines.length);
    });
    const end = (reason: "input" | "output") => () => {
      if (this.#ended) return;
      this.#ended = true;
      this.onend?.(reason);
    };
    for (const event of ["end", "close", "error"]) this.#input.once(event, end("input"));
    for (const event of ["error", "close"]) this.#output.on(event, end("output"));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const line = `${JSON.stringify(message)}\n`;
    await new Promise<void>((resolve, reject) => {
      this.#output.write(line, (error) => (error ? reject(error) : resolve()));
    });
    this.#large.answered(line.length);
  }

  async close(): Promise<void> {
    this.#input.pause();
    this.onclose?.();
  }

  #receive(text: string): void {
    if (text.trim() === "") return;
    const message = readMessage(text);
    this.#large.came(text.length);
    if ("refusal" in message) this.#refuse(message.refusal);
    else this.onmessage?.(message);
  }

  #refuse({ id, ...error }: Refusal): void {
    this.#output.write(`${JSON.stringify({ jsonrpc: "2.0", id, error })}\n`);
  }
}
