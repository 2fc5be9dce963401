import { randomUUID } from "node:crypto";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { Access } from "../access.ts";
import { LargeMessages } from "../large-messages.ts";
import type { Session } from "../server.ts";

/** Bytes of a request's body: 5 MiB of base64 and what escaping may add to it. */
const maxBodyBytes = 16 * 1024 * 1024;

/** Milliseconds after which a session that nobody uses is given up. */
const idleMs = 30 * 60_000;

const mostSessions = 1_000;

interface OpenSession {
  readonly session: Session;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Who opened it, with what it may do: another caller does not get in, nor the same one with other rights. */
  readonly owner: string;
  usedAt: number;
  /** Responses that are being sent, event streams among them. */
  open: number;
}

/** The conversations of all clients over HTTP, each bound to the caller that began it. */
export class HttpSessions {
  readonly #sessions = new Map<string, OpenSession>();
  readonly #create: (access: Access) => Session;
  readonly #now: () => number;
  readonly #sweep: NodeJS.Timeout;
  readonly #large = new LargeMessages();

  constructor(create: (access: Access) => Session, now: () => number) {
    this.#create = create;
    this.#now = now;
    this.#sweep = setInterval(() => this.#closeIdle(), 60_000).unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Answers one request to the MCP endpoint; `sent` resolves when its response has been sent or given up. */
  async answer(request: Request, access: Access, sent: Promise<void>): Promise<Response> {
    const owner = JSON.stringify(access);
    const id = request.headers.get("mcp-session-id");
    if (id === null) return this.#begin(request, access, owner);
    const open = this.#sessions.get(id);
    if (open === undefined || open.owner !== owner) return notFound();
    open.usedAt = this.#now();
    open.open += 1;
    sent.finally(() => {
      open.open -= 1;
      open.usedAt = this.#now();
      this.#large.answered(Number(request.headers.get("content-length") ?? 0));
    });
    return open.transport.handleRequest(request);
  }

  /** Waits until no request is being answered. */
  async idle(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(({ session }) => session.idle()));
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    await Promise.all([...this.#sessions.values()].map(({ session }) => session.close()));
    this.#sessions.clear();
  }

  async #begin(request: Request, access: Access, owner: string): Promise<Response> {
    if (this.#sessions.size >= mostSessions) {
      this.#closeIdle(0);
      if (this.#sessions.size >= mostSessions) return new Response("too many sessions\n", { status: 503 });
    }
    const session = this.#create(access);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: maxBodyBytes,
      onsessioninitialized: (id) => {
        this.#sessions.set(id, { session, transport, owner, usedAt: this.#now(), open: 0 });
      },
      onsessionclosed: (id) => this.#end(id),
    });
    await session.connect(transport);
    const response = await transport.handleRequest(request);
    // A request that was no handshake has begun nothing.
    if (transport.sessionId === undefined) await session.close();
    return response;
  }

  #end(id: string): void {
    const open = this.#sessions.get(id);
    this.#sessions.delete(id);
    open?.session.close().catch(() => {});
  }

  #closeIdle(afterMs = idleMs): void {
    for (const [id, { open, usedAt }] of this.#sessions) {
      if (open === 0 && this.#now() - usedAt >= afterMs) this.#end(id);
    }
  }
}

function notFound(): Response {
  const error = { code: -32001, message: "Session not found; begin again with initialize" };
  return Response.json({ jsonrpc: "2.0", id: null, error }, { status: 404 });
}
