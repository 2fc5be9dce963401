import { randomUUID } from "node:crypto";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { Access } from "../access.ts";
import { LargeMessages } from "../large-messages.ts";
import { maxMessageBytes, readMessage } from "../message.ts";
import type { Session, SessionTransport } from "../server.ts";
import { boundEvents } from "./bound-events.ts";
import { readBody } from "./read-body.ts";
import { refuse } from "./refuse.ts";

/** Milliseconds after which a session that nobody uses is given up. */
const idleMs = 30 * 60_000;

/** Sessions of the process, and of one caller, who must not take them all. */
const mostSessions = 1_000;
const mostOfCaller = 100;

/** Bytes of events that may wait for a client that listens. */
const mostWaitingBytes = 4 * 1024 * 1024;

/** The SDK's transport, which would keep the response to a cancelled request open for ever. */
class HttpTransport extends WebStandardStreamableHTTPServerTransport implements SessionTransport {
  async withhold(answer: JSONRPCMessage): Promise<void> {
    if (!("id" in answer) || answer.id === undefined) return;
    this.closeSSEStream(answer.id);
    // With no response left to put it in, the SDK only forgets what it kept for the request.
    await super.send(answer).catch(() => {});
  }
}

interface OpenSession {
  readonly session: Session;
  readonly transport: HttpTransport;
  readonly caller: string;
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
    const message = request.method === "POST" ? await messageIn(request, this.#large) : undefined;
    if (message instanceof Response) return message;
    const id = request.headers.get("mcp-session-id");
    if (id === null) return this.#begin(request, access, message);
    const open = this.#sessions.get(id);
    if (open === undefined || open.owner !== ownerOf(access)) return notFound();
    open.usedAt = this.#now();
    open.open += 1;
    sent.finally(() => {
      open.open -= 1;
      open.usedAt = this.#now();
      this.#large.answered(Number(request.headers.get("content-length") ?? 0));
    });
    const response = await open.transport.handleRequest(request, { parsedBody: message });
    const isListening = request.method === "GET" && response.ok && response.body !== null;
    return isListening ? new Response(boundEvents(response.body, mostWaitingBytes), response) : response;
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

  async #begin(request: Request, access: Access, message: JSONRPCMessage | undefined): Promise<Response> {
    if (!["GET", "POST", "DELETE"].includes(request.method)) {
      return refuse(405, -32000, "method not allowed", { headers: { allow: "GET, POST, DELETE" } });
    }
    if (message === undefined || !("method" in message) || message.method !== "initialize") {
      return refuse(400, -32000, "the header mcp-session-id is needed; begin with initialize");
    }
    if (!this.#makeRoom(access.name)) {
      return refuse(503, -32000, "too many sessions are in use", { headers: { "retry-after": "60" } });
    }
    const session = this.#create(access);
    const transport = new HttpTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        const begun = { caller: access.name, owner: ownerOf(access), usedAt: this.#now(), open: 0 };
        this.#sessions.set(id, { session, transport, ...begun });
      },
      onsessionclosed: (id) => this.#end(id),
    });
    await session.connect(transport);
    const response = await transport.handleRequest(request, { parsedBody: message });
    // A request that was no handshake has begun nothing.
    if (transport.sessionId === undefined) await session.close();
    return response;
  }

  /** Whether one more session may begin. Where there are too many, the caller's own give way first. */
  #makeRoom(caller: string): boolean {
    const own = [...this.#sessions.values()].filter((session) => session.caller === caller).length;
    if (own >= mostOfCaller) return this.#endOldest((session) => session.caller === caller);
    return this.#sessions.size < mostSessions || this.#endOldest(() => true);
  }

  /** Ends the one that was unused for longest; false where all are in use. */
  #endOldest(isMeant: (session: OpenSession) => boolean): boolean {
    const unused = [...this.#sessions].filter(([, session]) => session.open === 0 && isMeant(session));
    const [oldest] = unused.sort(([, a], [, b]) => a.usedAt - b.usedAt);
    if (oldest === undefined) return false;
    this.#end(oldest[0]);
    return true;
  }

  #end(id: string): void {
    const open = this.#sessions.get(id);
    this.#sessions.delete(id);
    open?.session.close().catch(() => {});
  }

  #closeIdle(): void {
    for (const [id, { open, usedAt }] of this.#sessions) {
      if (open === 0 && this.#now() - usedAt >= idleMs) this.#end(id);
    }
  }
}

function ownerOf(access: Access): string {
  return JSON.stringify(access);
}

/** The message in a request's body, read as stdio reads a line, or what is answered to what is none. */
async function messageIn(request: Request, large: LargeMessages): Promise<JSONRPCMessage | Response> {
  let text: string | undefined;
  try {
    text = await readBody(request, maxMessageBytes, large);
  } catch {
    return refuse(400, -32600, "the body could not be read");
  }
  if (text === undefined) return refuse(413, -32600, `the request is longer than ${maxMessageBytes} bytes`);
  const message = readMessage(text);
  large.came(text.length);
  if (!("refusal" in message)) return message;
  const { id, code, message: wrong } = message.refusal;
  return refuse(400, code, wrong, { id });
}

function notFound(): Response {
  return refuse(404, -32001, "Session not found; begin again with initialize");
}
