import type { Extras } from "./answer.ts";

/** A block of content beside the data. Source: MCP 2025-11-25, ContentBlock. */
export type ContentBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string }
  | {
      readonly type: "resource_link";
      readonly uri: string;
      readonly name: string;
      readonly mimeType?: string;
      readonly size?: number;
    };

/** The answer to a call as it goes on the wire. Source: MCP 2025-11-25, CallToolResult. */
export interface CallResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: true;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/**
 * A good answer: the same data as structured content and as one text block of compact JSON, since some clients show
 * the model only the first and some only the second.
 */
export function writeResult(data: Readonly<Record<string, unknown>>, extras: Extras = {}): CallResult {
  const images = (extras.images ?? []).map(({ mimeType, data: bytes }) => ({
    type: "image" as const,
    data: Buffer.from(bytes).toString("base64"),
    mimeType,
  }));
  const links = (extras.links ?? []).map((link) => ({ type: "resource_link" as const, ...link }));
  return {
    content: [{ type: "text", text: JSON.stringify(data) }, ...images, ...links],
    structuredContent: data,
    ...(extras.meta !== undefined && { _meta: extras.meta }),
  };
}

/** A failed call: text alone, since clients check structured content against the output schema and lose the message. */
export function writeFailure(text: string): CallResult {
  return { content: [{ type: "text", text }], isError: true };
}
