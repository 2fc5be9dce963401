/** A conversation with a server over HTTP. */
export interface HttpClient {
  /** @throws Error with the server's message where the request is refused. */
  request(method: string, params?: object): Promise<Record<string, unknown>>;
  /** The first text of a tool's answer, and whether it is a failure. */
  call(name: string, args: object): Promise<{ readonly text: string; readonly isError: boolean }>;
}

/** Begins a conversation, with a bearer token. */
export async function connectHttp(url: URL, token: string): Promise<HttpClient> {
  const headers = new Headers({
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  });
  let last = 0;
  async function request(method: string, params: object = {}): Promise<Record<string, unknown>> {
    last += 1;
    const id = last;
    const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const response = await fetch(url, { method: "POST", headers, body });
    const session = response.headers.get("mcp-session-id");
    if (session !== null) headers.set("mcp-session-id", session);
    const text = await response.text();
    const messages = text.startsWith("{")
      ? [text]
      : text.split("\n").filter((line) => line.startsWith("data: {"));
    for (const message of messages) {
      const answer = JSON.parse(message.replace(/^data: /, ""));
      if (answer.id !== id) continue;
      if (answer.error !== undefined) throw new Error(answer.error.message);
      return answer.result;
    }
    throw new Error(`${response.status} ${text}`);
  }
  const clientInfo = { name: "vault-test", version: "1" };
  await request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  return {
    request,
    async call(name, args) {
      const { content, isError } = await request("tools/call", { name, arguments: args });
      return { text: (content as { text: string }[])[0]?.text ?? "", isError: isError === true };
    },
  };
}
