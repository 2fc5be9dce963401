import { VaultError } from "../errors.ts";
import { wholeEtag } from "../etag.ts";
import type { VaultReader } from "../vault-reader.ts";
import type { Visibility } from "../visibility.ts";
import { describeVersions, type NoteFiles } from "./note-files.ts";

/** Reads a kept content of a path in the place of what is there now; the path itself may be gone. */
export function createVersionReader(
  {
    files,
    visibility,
  }: { readonly files: Pick<NoteFiles, "versions" | "readVersion">; readonly visibility: Visibility },
  version: string,
): VaultReader {
  return {
    async read(path, given) {
      if (visibility.isHidden(path)) throw new VaultError("PATH_HIDDEN", { path: given });
      const file = await files.readVersion(path, wholeEtag(version.trim()));
      if (file !== undefined) return file;
      const versions = describeVersions(await files.versions(path));
      throw new VaultError("VERSION_NOT_FOUND", { path: given, version, versions });
    },
  };
}
