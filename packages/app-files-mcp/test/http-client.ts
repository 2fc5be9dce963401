/** One JSON-RPC conversation over HTTP, in raw messages. */
export interface HttpClient {
  /** The response's message. */
  request(method: string, params?: object): Promise<Record<string, unknown>>;
  call(name: string, args: object): Promise<CallResult>;
}

export interface CallResult {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
}

/** Begins a conversation at an MCP endpoint. */
export async function connectHttp(url: URL, token: string): Promise<HttpClient> {
  let session: string | undefined;
  let id = 0;

  async function post(message: object): Promise<Response> {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(session !== undefined && { "mcp-session-id": session }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
    session ??= response.headers.get("mcp-session-id") ?? undefined;
    return response;
  }

  async function request(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const response = await post({ id: ++id, method, params });
    const body = await response.text();
    if (!response.ok) throw new Error(`${response.status} ${body}`);
    const isStream = response.headers.get("content-type")?.includes("event-stream") === true;
    const texts = isStream ? [...body.matchAll(/^data: (.+)$/gm)].map(([, data = ""]) => data) : [body];
    const message = texts.map((text) => JSON.parse(text)).find((each) => each.id === id);
    if (message === undefined) throw new Error(`no answer to ${method} in ${body}`);
    return message;
  }

  const clientInfo = { name: "http-test", version: "1" };
  await request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  await post({ method: "notifications/initialized" });
  return {
    request,
    async call(name, args) {
      const { result, error } = await request("tools/call", { name, arguments: args });
      if (error !== undefined) throw new Error(JSON.stringify(error));
      return result as CallResult;
    },
  };
}
