import { isUtf8 } from "node:buffer";
import type { Resource, ResourceContents, Resources } from "@mcp-file-servers/core";
import * as z from "zod";
import { type Document, titleOf } from "./domain/document.ts";
import { VaultError } from "./domain/errors.ts";
import { everything, type ListQuery } from "./domain/listing/listing.ts";
import { nameOf } from "./domain/note/note.ts";
import { parsePath } from "./domain/vault-path.ts";
import { fromUri, toUri, uriTemplate } from "./domain/vault-uri.ts";
import type { VaultDeps } from "./tools/define.ts";

const keySchema = z.tuple([z.string()]);

/** Beyond this size a file is not handed out as a resource, bytes. */
const largestResource = 20_000_000;

const firstIndexMs = 5_000;

const allByPath: ListQuery = {
  ...everything,
  order: { key: "path", descending: false },
};

/** The documents of the vault as `vault:///PATH`. */
export const vaultResources: Resources<VaultDeps, typeof keySchema> = {
  templates: [
    {
      uriTemplate,
      name: "document",
      title: "Document",
      description: "A note or attachment of the vault by its path, each name percent-encoded",
    },
  ],
  key: keySchema,
  async list({ index }, { after, limit, signal }) {
    await index.ready(firstIndexMs, signal);
    const [path] = after ?? [];
    const position = path === undefined ? undefined : { path, rank: 2 as const, number: 0, text: "" };
    const page = await index.list({ query: allByPath, after: position, walk: undefined, limit });
    return {
      resources: page.documents.map(({ document }) => ({
        resource: toResource(document),
        key: [document.path],
      })),
      more: page.more,
    };
  },
  async read({ reader, place }, uri): Promise<ResourceContents | undefined> {
    const given = fromUri(uri);
    if (given === undefined) return undefined;
    const file = await reader.read(parsePath("uri", given, place), given, largestResource);
    if (file === undefined) return undefined;
    const { mimeType, bytes, sizeBytes } = file;
    if (bytes === undefined) {
      throw new VaultError("TOO_LARGE", { path: given, bytes: sizeBytes, limitBytes: largestResource });
    }
    const isText = (mimeType.startsWith("text/") || mimeType === "application/json") && isUtf8(bytes);
    return isText ? { uri, mimeType, text: bytes.toString("utf8") } : { uri, mimeType, bytes };
  },
  canonicalUri({ place, visibility }, uri) {
    const given = fromUri(uri);
    const path = given === undefined ? "" : parsePath("uri", given, place);
    const isServed = path !== "" && !visibility.isHidden(path) && visibility.kindOf(path) !== undefined;
    return isServed ? canonicalUri(path) : undefined;
  },
  watch({ index }, listener) {
    return index.subscribe(({ paths, listChanged }) => {
      for (const path of paths) listener.updated(canonicalUri(path));
      if (listChanged) listener.listChanged();
    });
  },
};

/** The URI of a path whichever way its accents are written. */
function canonicalUri(path: string): string {
  return toUri(path.normalize("NFC"));
}

function toResource(document: Document): Resource {
  const { path, sizeBytes: size } = document;
  const mimeType = document.kind === "note" ? "text/markdown" : document.mimeType;
  return { uri: toUri(path), name: nameOf(path), title: titleOf(document), mimeType, size };
}
