import * as z from "zod";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { CoreFailure, type FailureTexts, failureText, isFailure } from "./failure.ts";
import { jsonBytes } from "./json.ts";
import { ProtocolError, protocolCodes } from "./protocol-error.ts";
import type { ResourceListener, Resources } from "./resource.ts";

const listParams = z.object({ cursor: z.string().optional() }).nullish();
const uriParams = z.object({ uri: z.string() });

const listQuery = { name: "resources/list", args: {} };
const mostListed = 1_000;

/** Resources that one session may wait for. */
const mostSubscribed = 10_000;

/** Answers the `resources/…` requests of one session and tells it of changes. */
export class ResourceHandler<Deps> {
  readonly #resources: Resources<Deps>;
  readonly #deps: Deps;
  readonly #failures: object;
  readonly #maxBytes: number;
  readonly #listener: ResourceListener;
  /** The URIs that the client gave, by those under which changes are told. */
  readonly #subscribed = new Map<string, string>();
  #stopWatching: (() => void) | undefined;

  constructor(
    resources: Resources<Deps>,
    deps: Deps,
    failures: object,
    options: { readonly maxResultBytes: number },
    listener: ResourceListener,
  ) {
    this.#resources = resources;
    this.#deps = deps;
    this.#failures = failures;
    this.#maxBytes = options.maxResultBytes;
    this.#listener = listener;
  }

  /** The answer to a request, or undefined when it is none of ours. */
  answer(method: string, params: unknown, signal: AbortSignal): Promise<unknown> | undefined {
    switch (method) {
      case "resources/list":
        return this.#list(params, signal);
      case "resources/templates/list":
        return this.#listTemplates(params);
      case "resources/read":
        return this.#read(params, signal);
      case "resources/subscribe":
        return this.#subscribe(params);
      case "resources/unsubscribe":
        return this.#unsubscribe(params);
      default:
        return undefined;
    }
  }

  close(): void {
    this.#stopWatching?.();
    this.#stopWatching = undefined;
  }

  /** Nothing is watched before a client has looked at the resources. */
  #watch(): void {
    this.#stopWatching ??= this.#resources.watch(this.#deps, {
      updated: (uri) => {
        const given = this.#subscribed.get(uri);
        if (given !== undefined) this.#listener.updated(given);
      },
      listChanged: () => this.#listener.listChanged(),
    });
  }

  async #list(params: unknown, signal: AbortSignal): Promise<unknown> {
    const { cursor } = parseParams(listParams, params, "cursor must be text") ?? {};
    const after = cursor === undefined ? undefined : this.#position(cursor);
    this.#watch();
    const page = await this.#tell(() =>
      this.#resources.list(this.#deps, { after, limit: mostListed, signal }),
    );
    let bytes = 0;
    const fitting = page.resources.filter(({ resource }, index) => {
      bytes += jsonBytes(resource) + 1;
      return index === 0 || bytes <= this.#maxBytes;
    });
    const last = fitting.at(-1);
    const more = page.more || fitting.length < page.resources.length;
    return {
      resources: fitting.map(({ resource }) => resource),
      ...(more &&
        last && { nextCursor: encodeCursor(listQuery, { key: last.key as never, walk: undefined }) }),
    };
  }

  #position(cursor: string): unknown {
    try {
      return decodeCursor(cursor, listQuery, { key: this.#resources.key }).key;
    } catch (error) {
      if (!(error instanceof CoreFailure)) throw error;
      throw new ProtocolError(
        protocolCodes.invalidParams,
        "cursor is none of this list; start again without it",
      );
    }
  }

  async #listTemplates(params: unknown): Promise<unknown> {
    const { cursor } = parseParams(listParams, params, "cursor must be text") ?? {};
    if (cursor !== undefined) {
      throw new ProtocolError(
        protocolCodes.invalidParams,
        "cursor is unknown; resources/templates/list has one page",
      );
    }
    return { resourceTemplates: this.#resources.templates };
  }

  async #read(params: unknown, signal: AbortSignal): Promise<unknown> {
    const { uri } = parseParams(uriParams, params, "uri must be text");
    const contents = await this.#tell(() => this.#resources.read(this.#deps, uri, signal));
    if (contents === undefined) throw notFound(uri);
    const { mimeType } = contents;
    const body =
      "text" in contents ? { text: contents.text } : { blob: Buffer.from(contents.bytes).toString("base64") };
    return { contents: [{ uri: contents.uri, mimeType, ...body }] };
  }

  /** A resource need not exist yet: its coming is an update too. What nobody would ever be told of is not found. */
  async #subscribe(params: unknown): Promise<unknown> {
    const { uri } = parseParams(uriParams, params, "uri must be text");
    const canonical = await this.#tell(async () => this.#resources.canonicalUri(this.#deps, uri));
    if (canonical === undefined) throw notFound(uri);
    if (this.#subscribed.size >= mostSubscribed && !this.#subscribed.has(canonical)) {
      throw new ProtocolError(
        protocolCodes.invalidParams,
        `a session may subscribe to ${mostSubscribed} resources; unsubscribe from others first`,
      );
    }
    this.#watch();
    this.#subscribed.set(canonical, uri);
    return {};
  }

  /** Nothing is left to do for a URI that nobody subscribed to, whatever it names. */
  async #unsubscribe(params: unknown): Promise<unknown> {
    const { uri } = parseParams(uriParams, params, "uri must be text");
    for (const [canonical, given] of this.#subscribed) {
      if (given === uri || canonical === uri) this.#subscribed.delete(canonical);
    }
    return {};
  }

  /** A failure of the server's own becomes a protocol error with the same text. */
  async #tell<Value>(run: () => Promise<Value>): Promise<Value> {
    try {
      return await run();
    } catch (error) {
      if (!isFailure(error, this.#failures)) throw error;
      const text = failureText(error, this.#failures as FailureTexts<Record<string, never>>);
      throw new ProtocolError(protocolCodes.invalidParams, text);
    }
  }
}

function notFound(uri: string): ProtocolError {
  return new ProtocolError(protocolCodes.resourceNotFound, "Resource not found", { uri });
}

function parseParams<Schema extends z.ZodType>(
  schema: Schema,
  params: unknown,
  problem: string,
): z.output<Schema> {
  const parsed = schema.safeParse(params);
  if (!parsed.success) throw new ProtocolError(protocolCodes.invalidParams, problem);
  return parsed.data;
}
