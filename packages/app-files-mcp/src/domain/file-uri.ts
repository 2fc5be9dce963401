import { isAppName } from "./app-name.ts";

/** RFC 6570. */
export const fileUriTemplate = "app-files://{app}/{+path}";

/** The URI of a file as a resource. */
export function fileUri(app: string, path: string): string {
  return `app-files://${app}/${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}`;
}

/** The file that a URI names; undefined when it is none of ours. The path is not checked. */
export function parseFileUri(uri: string): { readonly app: string; readonly path: string } | undefined {
  const [, app, encoded] = /^app-files:\/\/([^/]+)\/(.+)$/s.exec(uri) ?? [];
  if (app === undefined || encoded === undefined || !isAppName(app)) return undefined;
  try {
    return { app, path: decodeURIComponent(encoded).normalize("NFC") };
  } catch {
    return undefined;
  }
}
