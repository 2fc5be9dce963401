import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CancelledNotificationSchema,
  InitializeRequestSchema,
  type JSONRPCMessage,
  type JSONRPCRequest,
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import type { App } from "./app.ts";
import { callTool, type RegisteredTool, registerTool } from "./call.ts";
import { hintsOf } from "./effect.ts";
import type { Log } from "./log.ts";
import type { CallReport } from "./metrics.ts";
import { thinProgress } from "./progress.ts";
import { ProtocolError, protocolCodes } from "./protocol-error.ts";
import { ResourceHandler } from "./resource-handler.ts";

export interface SessionOptions {
  /** UTF-8 bytes that an answer's structured content may take. */
  readonly maxResultBytes: number;
  readonly log: Log;
  /** Who calls, for the reports. */
  readonly caller: string;
  /** Told of every call when it is over. */
  report(call: CallReport): void;
  /** Makes the schemas of a tool; by default anew for each session. */
  readonly register?: typeof registerTool;
}

/** A transport that may have something to end when a request gets no answer. */
export interface SessionTransport extends Transport {
  /** Told of the answer to a cancelled request, which is not to be sent. */
  withhold?(answer: JSONRPCMessage): Promise<void>;
}

/** One client's conversation with a server. */
export interface Session {
  /** Begins to serve; returns once the transport has started. */
  connect(transport: SessionTransport): Promise<void>;
  /** Resolves when no request is being answered. */
  idle(): Promise<void>;
  /** Cancels what runs and ends the conversation. */
  close(): Promise<void>;
}

type RequestId = string | number;

const callParams = z.object({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).nullish(),
  _meta: z.object({ progressToken: z.union([z.string(), z.int()]).optional() }).nullish(),
});

function invalidParams(message: string): ProtocolError {
  return new ProtocolError(protocolCodes.invalidParams, message);
}

/** The one seam to the MCP SDK: a low-level server whose requests core answers itself. */
export function createSession<Deps>(app: App<Deps>, deps: Deps, options: SessionOptions): Session {
  const { register = registerTool } = options;
  const registry = new Map(app.tools.map((tool) => [tool.name, register(tool)]));
  const serverInfo = { name: app.name, title: app.title, version: app.version, description: app.description };
  const capabilities = {
    tools: {},
    ...(app.resources && { resources: { subscribe: true, listChanged: true } }),
  };
  const server = new Server(serverInfo, {
    capabilities,
    // Only client answers to elicitation would be checked; the default one builds a validator at start.
    jsonSchemaValidator: {
      getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
    },
  });
  const running = new Map<RequestId, AbortController>();
  /** Requests that the client cancelled: they get no answer. */
  const silenced = new Set<RequestId>();
  let whenIdle: (() => void)[] = [];
  let client = "";

  const resources =
    app.resources &&
    new ResourceHandler(app.resources, deps, app.failures, options, {
      updated: (uri) => notify("notifications/resources/updated", { uri }),
      listChanged: () => notify("notifications/resources/list_changed", {}),
    });

  function notify(method: string, params: Record<string, unknown>): void {
    server
      .notification({ method, params } as never)
      .catch((error) => options.log.debug("a notification was not sent", { error }));
  }

  function initialize(request: JSONRPCRequest) {
    const parsed = InitializeRequestSchema.safeParse(request);
    if (!parsed.success) {
      throw invalidParams(
        "initialize needs protocolVersion (text), capabilities (an object) and clientInfo (name, version)",
      );
    }
    const { clientInfo, protocolVersion: asked } = parsed.data.params;
    client = `${clientInfo.name} ${clientInfo.version}`;
    const protocolVersion = SUPPORTED_PROTOCOL_VERSIONS.includes(asked) ? asked : LATEST_PROTOCOL_VERSION;
    return { protocolVersion, capabilities, serverInfo, instructions: app.instructions };
  }

  async function call(params: unknown, cancelled: AbortSignal) {
    const parsed = callParams.safeParse(params);
    if (!parsed.success) throw invalidParams("tools/call needs name (text) and arguments (an object)");
    const { name, arguments: given, _meta } = parsed.data;
    const registered: RegisteredTool<Deps> | undefined = registry.get(name);
    if (registered === undefined) {
      throw invalidParams(
        `Unknown tool ${JSON.stringify(name)}; tools are ${[...registry.keys()].join(", ")}`,
      );
    }
    const token = _meta?.progressToken;
    const begun = performance.now();
    return callTool(registered, given, {
      deps,
      failures: app.failures,
      budget: options.maxResultBytes,
      client,
      cancelled,
      log: options.log,
      finished: (subject, outcome) => {
        const durationMs = performance.now() - begun;
        options.report({ tool: name, caller: options.caller, subject, outcome, durationMs });
      },
      progress: thinProgress((progress) => {
        if (token !== undefined && !cancelled.aborted) {
          notify("notifications/progress", { progressToken: token, ...progress });
        }
      }, Date.now),
    });
  }

  async function dispatch(request: JSONRPCRequest, signal: AbortSignal): Promise<unknown> {
    const { method, params } = request;
    switch (method) {
      case "initialize":
        return initialize(request);
      case "tools/list":
        // The list is one page, so no cursor of it exists.
        if (params?.cursor !== undefined) throw invalidParams("cursor is unknown; tools/list has one page");
        return { tools: [...registry.values()].map(describeTool) };
      case "tools/call":
        return call(params, signal);
    }
    const handled = resources?.answer(method, params, signal);
    if (handled === undefined)
      throw new ProtocolError(protocolCodes.methodNotFound, `Method not found: ${method}`);
    return handled;
  }

  async function answer(request: JSONRPCRequest, signal: AbortSignal): Promise<unknown> {
    try {
      return await dispatch(request, signal);
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      options.log.error(`${request.method} failed`, { error });
      throw new ProtocolError(
        protocolCodes.internalError,
        "Internal error; the server's log on stderr has the details",
      );
    }
  }

  // The SDK answers a malformed handshake with an internal error; core answers every request but ping itself.
  server.removeRequestHandler("initialize");
  server.fallbackRequestHandler = async (request, { requestId, signal }) => {
    const controller = new AbortController();
    const abort = () => controller.abort();
    signal.addEventListener("abort", abort);
    running.set(requestId, controller);
    try {
      return (await answer(request as JSONRPCRequest, controller.signal)) as Record<string, unknown>;
    } finally {
      signal.removeEventListener("abort", abort);
      if (running.get(requestId) === controller) running.delete(requestId);
      if (running.size === 0) {
        for (const resolve of whenIdle) resolve();
        whenIdle = [];
      }
    }
  };
  function cancel(requestId: RequestId): void {
    const controller = running.get(requestId);
    if (controller === undefined) return;
    silenced.add(requestId);
    controller.abort();
  }
  // The SDK's own handler overlooks the request id 0, with which its clients begin. A request that came in the same
  // chunk as its cancellation has not begun yet, so that waits a turn.
  server.setNotificationHandler(CancelledNotificationSchema, ({ params: { requestId } }) => {
    if (requestId !== undefined) setImmediate(cancel, requestId);
  });
  server.onerror = (error) => options.log.debug("protocol error", { error });

  return {
    connect: (transport) => {
      const send = transport.send.bind(transport);
      transport.send = async (message, sendOptions) => {
        const isSilenced = "id" in message && message.id !== undefined && silenced.delete(message.id);
        if (isSilenced) await transport.withhold?.(message);
        else await send(message, sendOptions);
      };
      return server.connect(transport);
    },
    idle: () =>
      running.size === 0 ? Promise.resolve() : new Promise<void>((resolve) => whenIdle.push(resolve)),
    close: async () => {
      for (const controller of running.values()) controller.abort();
      resources?.close();
      await server.close();
    },
  };
}

/** A tool as `tools/list` shows it. */
export function describeTool<Deps>({ tool, inputSchema, outputSchema }: RegisteredTool<Deps>) {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema,
    outputSchema,
    annotations: { title: tool.title, ...hintsOf(tool.effect, tool.idempotent) },
  };
}
