import { createHash } from "node:crypto";
import type { CallOptions } from "./store.ts";

/** Milliseconds for which a link can be used. */
export const linkLifeMs = 10 * 60 * 1000;

/** What whoever has a link may read, once. */
export interface Link {
  readonly app: string;
  readonly path: string;
  readonly version: number;
  /** Who asked for it, for the log. */
  readonly by: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Links by the hash of their secret, for all processes on a store. One whose time is over is not there any more. */
export interface LinkStore {
  add(hash: string, link: Link, options?: CallOptions): Promise<void>;
  find(hash: string, options?: CallOptions): Promise<Link | undefined>;
  /** Ends a link; false where it is not there, so that of two who take it one gets it. */
  take(hash: string, options?: CallOptions): Promise<boolean>;
}

/** By what a link is kept: whoever reads the store cannot use it. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Makes a link to a version that is there. */
export async function makeLink(
  file: Pick<Link, "app" | "path" | "version" | "by">,
  { links, newSecret, now }: { links: LinkStore; newSecret: () => string; now: () => number },
  options: CallOptions = {},
): Promise<{ readonly secret: string; readonly expiresAt: number }> {
  const secret = newSecret();
  const expiresAt = now() + linkLifeMs;
  await links.add(hashSecret(secret), { ...file, expiresAt }, options);
  return { secret, expiresAt };
}
