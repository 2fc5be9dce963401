/** The answer to a tool's call. */
export interface HttpAnswer {
  readonly isError: boolean;
  readonly text: string;
}

export interface HttpCaller {
  tools(): Promise<readonly string[]>;
  call(name: string, args: object): Promise<HttpAnswer>;
}

/** Begins a conversation with a server over HTTP, with a bearer token. */
export async function callOverHttp(url: URL, token: string): Promise<HttpCaller> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  let id = 0;
  async function ask(method: string, params: object): Promise<Record<string, unknown>> {
    const asked = ++id;
    const body = JSON.stringify({ jsonrpc: "2.0", id: asked, method, params });
    const response = await fetch(url, { method: "POST", headers, body });
    const session = response.headers.get("mcp-session-id");
    if (session !== null) headers["mcp-session-id"] = session;
    const text = await response.text();
    const messages = text.startsWith("{")
      ? [text]
      : [...text.matchAll(/^data: (.+)$/gm)].map((found) => found[1]);
    const answer = messages
      .map((message) => JSON.parse(message ?? "{}"))
      .find((message) => message.id === asked);
    if (answer?.result === undefined) throw new Error(`${response.status} ${text}`);
    return answer.result;
  }
  const clientInfo = { name: "scope-test", version: "1" };
  await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  return {
    async tools() {
      const { tools } = (await ask("tools/list", {})) as { tools: { name: string }[] };
      return tools.map(({ name }) => name);
    },
    async call(name, args) {
      const result = (await ask("tools/call", { name, arguments: args })) as {
        isError?: boolean;
        content: { text: string }[];
      };
      return { isError: result.isError === true, text: result.content[0]?.text ?? "" };
    },
  };
}
