import { constants } from "node:fs";
import { type FileHandle, lstat, open, readdir, realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { VaultError } from "../domain/errors.ts";
import type { VaultFile, VaultReader } from "../domain/vault-reader.ts";
import type { Visibility } from "../domain/visibility.ts";
import { isMissing, reasonOf, unreadable } from "./file-errors.ts";
import { mimeTypeOf } from "./mime-type.ts";

const mostAttempts = 10;
const replaced = "it was replaced while it was read";

/** Reads a vault from the file system. Nothing outside the root, by its real path, is ever opened. */
export class VaultFiles implements VaultReader {
  readonly #root: string;
  readonly #visibility: Visibility;

  /** @param root the real path of the vault's folder. */
  constructor(root: string, visibility: Visibility) {
    this.#root = root;
    this.#visibility = visibility;
  }

  async read(path: string, given: string, maxBytes: number): Promise<VaultFile | undefined> {
    if (path !== "" && this.#visibility.isHidden(path)) throw new VaultError("PATH_HIDDEN", { path: given });
    try {
      for (let attempt = 1; ; attempt += 1) {
        const spelled = await this.#spell(path);
        if (spelled === undefined) return undefined;
        try {
          return await this.#readReal(await this.#resolve(spelled, given), given, maxBytes);
        } catch (error) {
          // Who saves by a rename puts another file in its place: that one is read then.
          if (!isReplaced(error) || attempt === mostAttempts) throw error;
        }
      }
    } catch (error) {
      if (error instanceof VaultError) throw error;
      if (isMissing(error)) {
        await this.#checkRoot();
        return undefined;
      }
      throw unreadable(given, error);
    }
  }

  /** A missing file is one thing, a vault that is gone another. */
  async #checkRoot(): Promise<void> {
    await lstat(this.#root).catch((error: unknown) => {
      throw unreadable("", error);
    });
  }

  /** The path as the disk spells it: names that are not there as given are compared in NFC. */
  async #spell(path: string): Promise<string | undefined> {
    if (path === "" || (await this.#exists(path))) return path;
    let spelled = "";
    for (const name of path.split("/")) {
      let next = name;
      if (!(await this.#exists(join(spelled, name)))) {
        const names = await readdir(join(this.#root, spelled));
        const same = names.find((other) => other.normalize("NFC") === name.normalize("NFC"));
        if (same === undefined) {
          await this.#checkRoot();
          return undefined;
        }
        next = same;
      }
      spelled = join(spelled, next);
    }
    return spelled;
  }

  async #exists(path: string): Promise<boolean> {
    try {
      await lstat(join(this.#root, path));
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  /** The real path in the vault, links followed as long as they stay in it. */
  async #resolve(path: string, given: string): Promise<string> {
    let target: string;
    try {
      target = await realpath(join(this.#root, path));
    } catch (error) {
      // It is there, so what is missing is what a link points to.
      const dangling = isMissing(error) ? "is a link that points to nothing" : undefined;
      const endless =
        (error as { code?: unknown }).code === "ELOOP" ? "is a link that leads in a circle" : dangling;
      if (endless === undefined) throw unreadable(given, error);
      throw new VaultError("PATH_OUTSIDE_VAULT", { path: given, reason: endless }, { cause: error });
    }
    const inside = this.#inside(target);
    if (inside === undefined) {
      throw new VaultError("PATH_OUTSIDE_VAULT", {
        path: given,
        reason: "is or crosses a link that leaves the vault",
      });
    }
    if (inside !== "" && this.#visibility.isHidden(inside))
      throw new VaultError("PATH_HIDDEN", { path: given });
    return inside;
  }

  #inside(absolute: string): string | undefined {
    const path = relative(this.#root, absolute);
    if (path === "") return "";
    if (path === ".." || path.startsWith(`..${sep}`) || join(this.#root, path) !== absolute) return undefined;
    return path.split(sep).join("/");
  }

  async #readReal(path: string, given: string, maxBytes: number): Promise<VaultFile> {
    const absolute = join(this.#root, path);
    const found = await lstat(absolute);
    if (found.isDirectory()) throw new VaultError("NOT_A_FILE", { path: given, what: "a folder" });
    if (!found.isFile())
      throw new VaultError("NOT_A_FILE", { path: given, what: "a device, pipe or socket" });
    const kind = this.#visibility.kindOf(path);
    if (kind === undefined) {
      throw new VaultError("KIND_NOT_SERVED", { path: given, served: this.#visibility.attachments });
    }
    // O_NONBLOCK: a pipe put in its place meanwhile must not hang the server.
    const file = await open(absolute, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stat = await file.stat();
      // Somebody may have put a link in a folder's place since the path was resolved.
      if (stat.ino !== found.ino || stat.dev !== found.dev || (await realpath(absolute)) !== absolute) {
        throw new VaultError("VAULT_UNREADABLE", {
          path: given,
          reason: replaced,
        });
      }
      const bytes = stat.size > maxBytes ? undefined : await readAll(file, maxBytes);
      const sizeBytes = bytes?.length ?? stat.size;
      return { path, kind, mimeType: mimeTypeOf(path), modifiedAt: stat.mtimeMs, sizeBytes, bytes };
    } catch (error) {
      if (error instanceof VaultError) throw error;
      throw new VaultError("VAULT_UNREADABLE", { path: given, reason: reasonOf(error) }, { cause: error });
    } finally {
      await file.close();
    }
  }
}

/** Whether a file that was there is another one by now, or may be in a moment. */
function isReplaced(error: unknown): boolean {
  const cause = error instanceof VaultError ? (error.cause ?? error) : error;
  if (isMissing(cause)) return true;
  return cause instanceof VaultError && (cause.details as { reason?: unknown }).reason === replaced;
}

/** The content, however the file grows meanwhile; undefined when that is beyond what was asked for. */
async function readAll(file: FileHandle, maxBytes: number): Promise<Buffer | undefined> {
  const bytes = await file.readFile();
  return bytes.length > maxBytes ? undefined : bytes;
}
