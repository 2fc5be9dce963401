import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";

/** How to start a server: its built main file, the arguments and variables, and the Node binary to run it. */
export interface Start {
  /** Absolute path of the built main.js. */
  readonly bin: string;
  readonly args?: readonly string[];
  /** Added to the few variables that clients hand on. */
  readonly env?: Readonly<Record<string, string>>;
  /** Absolute path of a Node binary. */
  readonly node: string;
}

type Data = Record<string, unknown>;

/** The answer to a call as its caller sees it. */
export interface Outcome {
  readonly isError: boolean;
  /** The first text block. */
  readonly text: string;
  /** The structured content; empty where there is none. */
  readonly data: Data;
  readonly content: readonly { readonly type: string }[];
  readonly meta: Data | undefined;
}

/** A started server with a client connected to it, the SDK's own, as applications use it. */
export interface ConnectedServer {
  readonly client: Client;
  /** The process of the server. */
  readonly pid: number;
  /** Calls a tool; the client checks the answer against the tool's output schema. */
  call(
    name: string,
    args?: Data,
    options?: { signal?: AbortSignal; onprogress?: (done: unknown) => void },
  ): Promise<Outcome>;
  /** What the server has written to stderr. */
  stderr(): string;
  /** Ends the client, and with it the server. */
  close(): Promise<void>;
}

/** Starts a server over stdio and connects the SDK's client to it. */
export async function connect({ bin, args = [], env = {}, node }: Start): Promise<ConnectedServer> {
  const transport = new StdioClientTransport({
    command: node,
    args: [bin, ...args],
    env: { ...getDefaultEnvironment(), ...env },
    stderr: "pipe",
  });
  let stderr = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const client = new Client({ name: "contract-test", version: "1.0.0" });
  await client.connect(transport);
  await client.listTools();
  return {
    client,
    pid: transport.pid ?? 0,
    stderr: () => stderr,
    close: () => client.close(),
    async call(name, args = {}, options = {}) {
      const result = CallToolResultSchema.parse(
        await client.callTool({ name, arguments: args }, CallToolResultSchema, options),
      );
      const text = result.content.find((block) => block.type === "text");
      return {
        isError: result.isError === true,
        text: text?.type === "text" ? text.text : "",
        data: result.structuredContent ?? {},
        content: result.content,
        meta: result._meta,
      };
    },
  };
}
