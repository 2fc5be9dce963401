import type { Resources } from "@mcp-file-servers/core";
import * as z from "zod";
import { AppFilesError, hasCode } from "./domain/errors.ts";
import { parsePath } from "./domain/file-path.ts";
import { fileUri, fileUriTemplate, parseFileUri } from "./domain/file-uri.ts";
import { readAll } from "./domain/read-window.ts";
import type { Deps } from "./tools/define.ts";

/** Larger files are read in windows, by file_read. */
const resourceBytes = 10 * 1024 * 1024;

const key = z.tuple([z.string(), z.string()]);

/** The files of all apps as resources. */
export const fileResources: Resources<Deps, typeof key> = {
  templates: [
    {
      uriTemplate: fileUriTemplate,
      name: "app-file",
      title: "File of an app",
      description:
        "The current content of one file that an app keeps; up to 10 MiB, larger ones by file_read.",
    },
  ],
  key,

  async list({ store, policy }, { after, limit, signal }) {
    const { files, more } = await store.listAll({ allows: policy.allows, after, limit }, { signal });
    return {
      more,
      resources: files.map(({ app, file: { path, mime, size } }) => ({
        resource: { uri: fileUri(app, path), name: path, title: `${app}: ${path}`, mimeType: mime, size },
        key: [app, path] as [string, string],
      })),
    };
  },

  async read({ store, policy }, uri, signal) {
    const named = parseFileUri(uri);
    if (named === undefined || !policy.allows(named.app)) return undefined;
    try {
      const content = await store.open(named.app, parsePath(named.path), undefined, { signal });
      const { path, mime, size } = content.record;
      if (size > resourceBytes) {
        throw new AppFilesError("RESOURCE_TOO_LARGE", { path, size, limit: resourceBytes });
      }
      const bytes = await readAll(content);
      const about = { uri: fileUri(named.app, path), mimeType: mime };
      return content.facts.isText ? { ...about, text: Buffer.from(bytes).toString() } : { ...about, bytes };
    } catch (error) {
      if (hasCode(error, "NOT_FOUND") || hasCode(error, "INVALID_PATH")) return undefined;
      throw error;
    }
  },

  canonicalUri({ policy }, uri) {
    const named = parseFileUri(uri);
    if (named === undefined || !policy.allows(named.app)) return undefined;
    try {
      return fileUri(named.app, parsePath(named.path));
    } catch (error) {
      if (hasCode(error, "INVALID_PATH")) return undefined;
      throw error;
    }
  },

  watch({ store, policy }, listener) {
    return store.watch((changes) => {
      const allowed = changes.filter(({ app }) => policy.allows(app));
      for (const { app, path } of allowed) listener.updated(fileUri(app, path));
      if (allowed.some(({ kind }) => kind !== "updated")) listener.listChanged();
    });
  },
};
