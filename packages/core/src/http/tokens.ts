import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { chmod, chown, mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import * as z from "zod";
import type { Access } from "../access.ts";
import { parseJson } from "../json.ts";
import { ConfigurationError } from "../settings.ts";

const tokenEntry = z.strictObject({
  id: z.string().regex(/^[0-9a-f]{12}$/),
  name: z.string().min(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  read_only: z.boolean().default(false),
  expires: z.iso.datetime({ offset: true }).optional(),
  scope: z.record(z.string(), z.union([z.array(z.string()), z.boolean()])).default({}),
});

const tokenFile = z.strictObject({ tokens: z.array(tokenEntry) });

/** A token as the file keeps it: a hash of its secret, never the secret. */
export type TokenEntry = z.output<typeof tokenEntry>;

export interface NewToken {
  readonly name: string;
  readonly readOnly: boolean;
  /** RFC 3339. */
  readonly expires: string | undefined;
  readonly scope: TokenEntry["scope"];
}

const digest = (secret: string) => createHash("sha256").update(secret).digest();

/** The tokens of a file. Throws ConfigurationError where it cannot be read or is no token file. */
export async function readTokens(path: string): Promise<readonly TokenEntry[]> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    throw new ConfigurationError(
      `--tokens ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`,
    );
  }
  const parsed = tokenFile.safeParse(parseJson(text));
  if (parsed.success) return parsed.data.tokens;
  const [issue] = parsed.error.issues;
  throw new ConfigurationError(
    `--tokens ${path} is no token file: ${issue?.path.join(".")} ${issue?.message}`,
  );
}

async function writeTokens(path: string, tokens: readonly TokenEntry[]): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString("hex")}`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(temporary, `${JSON.stringify({ tokens }, undefined, 2)}\n`, { mode: 0o600, flush: true });
  await chmod(temporary, 0o600);
  // A file that root changed must not become root's: the running server could read it no more.
  const { uid, gid } = await stat(path).catch(() => stat(dirname(path)));
  await chown(temporary, uid, gid).catch(() => {});
  await rename(temporary, path);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Adds a token to a file, which is made where it is missing, and returns the text `ID_SECRET` that nobody keeps. */
export async function addToken(path: string, { name, readOnly, expires, scope }: NewToken): Promise<string> {
  const tokens = (await exists(path)) ? await readTokens(path) : [];
  if (tokens.some((token) => token.name === name))
    throw new ConfigurationError(`a token ${JSON.stringify(name)} exists`);
  const id = randomBytes(6).toString("hex");
  const secret = randomBytes(32).toString("base64url");
  const entry = { id, name, sha256: digest(secret).toString("hex"), read_only: readOnly, scope };
  await writeTokens(path, [...tokens, expires === undefined ? entry : { ...entry, expires }]);
  return `${id}_${secret}`;
}

/** Takes a token out of a file; false where there is none of that name. */
export async function removeToken(path: string, name: string): Promise<boolean> {
  const tokens = await readTokens(path);
  const left = tokens.filter((token) => token.name !== name);
  if (left.length === tokens.length) return false;
  await writeTokens(path, left);
  return true;
}

/** Tells by a bearer token who calls; undefined for a token that is unknown, wrong or expired. */
export type Authenticate = (bearer: string) => Promise<Access | undefined>;

/** Tells one state of a file from another: two changes may fall into one tick of the file system's clock. */
async function stateOf(path: string): Promise<string> {
  const { ino, size, mtimeMs } = await stat(path);
  return [ino, size, mtimeMs].join(" ");
}

/** Authentication by a token file, which is read again when it changed. Without the file nobody has a token. */
export async function tokenAuthentication(path: string, now: () => number): Promise<Authenticate> {
  let seen = await stateOf(path).catch(() => undefined);
  let tokens = await readTokens(path);
  return async (bearer) => {
    const state = await stateOf(path).catch(() => undefined);
    if (state !== seen) {
      tokens = state === undefined ? [] : await readTokens(path);
      seen = state;
    }
    const [id, secret] = [bearer.slice(0, 12), bearer.slice(13)];
    const entry = bearer[12] === "_" ? tokens.find((token) => token.id === id) : undefined;
    if (entry === undefined || !timingSafeEqual(digest(secret), Buffer.from(entry.sha256, "hex")))
      return undefined;
    if (entry.expires !== undefined && Date.parse(entry.expires) <= now()) return undefined;
    return { name: entry.name, readOnly: entry.read_only, scope: entry.scope };
  };
}
