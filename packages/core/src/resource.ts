import type * as z from "zod";

/** A resource as it is listed. Source: MCP 2025-11-25, Resource. */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly mimeType?: string;
  /** Bytes. */
  readonly size?: number;
}

/** A family of resources. Source: MCP 2025-11-25, ResourceTemplate. */
export interface ResourceTemplate {
  /** RFC 6570. */
  readonly uriTemplate: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/** What is in a resource: its text, or its bytes. */
export type ResourceContents = { readonly uri: string; readonly mimeType: string } & (
  | { readonly text: string }
  | { readonly bytes: Uint8Array }
);

/** Told of changes, from the first subscription or listing on until the session ends. */
export interface ResourceListener {
  /** The content of this resource changed, or it is gone. */
  updated(uri: string): void;
  /** Resources came or went. */
  listChanged(): void;
}

/** The resources of a server whose adapters are `Deps`. */
export interface Resources<Deps, KeySchema extends z.ZodType = z.ZodType> {
  readonly templates: readonly ResourceTemplate[];
  /** What a position in the list is. */
  readonly key: KeySchema;
  /** Up to `limit` resources after a position, in a lasting order. */
  list(
    deps: Deps,
    page: {
      readonly after: z.output<KeySchema> | undefined;
      readonly limit: number;
      readonly signal: AbortSignal;
    },
  ): Promise<{
    readonly resources: readonly { readonly resource: Resource; readonly key: z.output<KeySchema> }[];
    readonly more: boolean;
  }>;
  /** The contents, or undefined when there is no such resource. A failure of the server's tells why it cannot be read. */
  read(deps: Deps, uri: string, signal: AbortSignal): Promise<ResourceContents | undefined>;
  /**
   * The URI under which changes of a resource are told, whether it exists already or not; undefined for what is no
   * resource of this server, or none that this caller may see.
   */
  canonicalUri(deps: Deps, uri: string): string | undefined;
  /** Begins to watch; returns what ends it. */
  watch(deps: Deps, listener: ResourceListener): () => void;
}
