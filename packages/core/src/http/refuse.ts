/** An answer to a request over HTTP that gets none from MCP: a status, with a JSON-RPC error as its body. */
export function refuse(
  status: 400 | 401 | 403 | 404 | 405 | 413 | 429 | 503,
  code: number,
  message: string,
  {
    id = null,
    headers = {},
  }: { readonly id?: string | number | null; readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
  return Response.json({ jsonrpc: "2.0", id, error: { code, message } }, { status, headers });
}
