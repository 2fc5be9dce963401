/** Where files lie below a server's origin. */
export const filesPrefix = "/files/";

/** Where links lie: no app is called so, and a proxy that lets files through lets links through. */
export const linksPrefix = "/files/-/";

/** The URL of a file over HTTP, for whoever may call the server; of its current version where none is given. */
export function fileUrl(origin: URL, app: string, path: string, version?: number): string {
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  const query = version === undefined ? "" : `?version=${version}`;
  return new URL(`${filesPrefix}${app}/${encoded}${query}`, origin).href;
}

export function linkUrl(origin: URL, secret: string): string {
  return new URL(linksPrefix + secret, origin).href;
}
