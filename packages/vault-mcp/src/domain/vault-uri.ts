const scheme = "vault:///";

/** The URI template of every document. Source: RFC 6570, reserved expansion. */
export const uriTemplate = `${scheme}{+path}`;

/** The URI of a vault-relative path: each of its names percent-encoded. */
export function toUri(path: string): string {
  return (
    scheme +
    path
      .split("/")
      .map((name) => encodeURIComponent(name.toWellFormed()))
      .join("/")
  );
}

/** The vault-relative path of a URI; undefined for what is none. */
export function fromUri(uri: string): string | undefined {
  if (!uri.startsWith(scheme)) return undefined;
  try {
    return decodeURIComponent(uri.slice(scheme.length));
  } catch {
    return undefined;
  }
}
