import { join } from "node:path";

export type FolderKind = "config" | "data" | "cache" | "state";

/** What decides where a user's folders lie. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  /** The user's home directory. */
  readonly home: string;
}

const unix = { config: ".config", data: ".local/share", cache: ".cache", state: ".local/state" };
const mac = {
  config: "Library/Preferences",
  data: "Library/Application Support",
  cache: "Library/Caches",
  state: "Library/Application Support",
};

/**
 * The folder of an application for one kind of file: the XDG variable where it is set to an absolute path, else the
 * platform's own. Sources: XDG Base Directory Specification 0.8; Apple and Windows conventions.
 */
export function userFolder(kind: FolderKind, name: string, { env, platform, home }: Surroundings): string {
  const xdg = env[`XDG_${kind.toUpperCase()}_HOME`];
  if (xdg?.startsWith("/")) return join(xdg, name);
  if (platform === "darwin") return join(home, mac[kind], name);
  if (platform === "win32") {
    const local = env.LOCALAPPDATA ?? join(home, "AppData", "Local");
    const roaming = env.APPDATA ?? join(home, "AppData", "Roaming");
    return kind === "config" ? join(roaming, name) : join(local, name, kind);
  }
  return join(home, unix[kind], name);
}
