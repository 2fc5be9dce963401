import { Agent, request } from "node:http";

/**
 * @typedef {object} HttpClient one MCP session over HTTP
 * @property {(name: string, args: object) => Promise<any>} call resolves with the result of a tool; throws where the
 *   server refused the request or the tool failed
 * @property {() => Promise<void>} close ends the session
 */

/**
 * Opens a session, with connections of its own.
 *
 * @param {string} url @param {Record<string, string>} [others] headers of each request
 * @returns {Promise<HttpClient>}
 */
export async function openHttpClient(url, others = {}) {
  const agent = new Agent({ keepAlive: true });
  const session = { ...others };
  let last = 0;

  /**
   * @param {"POST" | "DELETE"} method @param {object} [message]
   * @returns {Promise<{ status: number, id: string | undefined, text: string }>}
   */
  function send(method, message) {
    return new Promise((resolve, reject) => {
      const headers = {
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        ...session,
      };
      const sent = request(url, { method, agent, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part) => {
          text += part;
        });
        response.on("error", reject).on("end", () => {
          const id = response.headers["mcp-session-id"];
          resolve({ status: response.statusCode ?? 0, id: typeof id === "string" ? id : undefined, text });
        });
      });
      sent.on("error", reject).end(message === undefined ? "" : JSON.stringify(message));
    });
  }

  /** @param {string} method @param {object} params */
  async function ask(method, params) {
    const { status, id, text } = await send("POST", { jsonrpc: "2.0", id: ++last, method, params });
    if (status !== 200) throw new Error(`HTTP ${status}: ${text.slice(0, 300)}`);
    // One answer, as JSON or as the one event with data of a stream.
    const json = text.startsWith("{") ? text : /^data: (\{.*)$/m.exec(text)?.[1];
    const { result, error } = JSON.parse(json ?? "{}");
    if (result === undefined) throw new Error(`no result: ${JSON.stringify(error)} ${text.slice(0, 300)}`);
    if (id !== undefined) session["mcp-session-id"] = id;
    return result;
  }

  const { protocolVersion } = await ask("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "scripts", version: "0" },
  });
  session["mcp-protocol-version"] = protocolVersion;
  await send("POST", { jsonrpc: "2.0", method: "notifications/initialized" });
  return {
    async call(name, args) {
      const result = await ask("tools/call", { name, arguments: args });
      if (result.isError) throw new Error(result.content[0].text);
      return result;
    },
    async close() {
      await send("DELETE");
      agent.destroy();
    },
  };
}
