import { VaultError } from "./domain/errors.ts";
import { type FolderScope, isInScope, restrictVisibility } from "./domain/restrict/folder-scope.ts";
import { restrictIndex } from "./domain/restrict/restrict-index.ts";
import type { VaultReader } from "./domain/vault-reader.ts";
import type { Visibility } from "./domain/visibility.ts";
import type { NoteFiles } from "./domain/writing/note-files.ts";
import type { RenameFiles } from "./domain/writing/rename/rename-files.ts";
import type { VaultDeps } from "./tools/define.ts";

/** What is made anew for a caller who is limited to some folders. */
export interface RestrictedParts extends Pick<VaultDeps, "search" | "graph" | "survey" | "links"> {
  reader(visibility: Visibility): VaultReader;
  writer(visibility: Visibility): NoteFiles & { readonly renames: RenameFiles };
}

/** What the tools work with when their caller is limited to some folders: nothing else is read, written or counted. */
export function restrictDeps(deps: VaultDeps, scope: FolderScope, parts: RestrictedParts): VaultDeps {
  const { search, graph, survey, links } = parts;
  const visibility = restrictVisibility(deps.visibility, scope);
  const writer = parts.writer(visibility);
  return {
    ...deps,
    search,
    graph,
    survey,
    links,
    visibility,
    index: restrictIndex(deps.index, scope),
    reader: parts.reader(visibility),
    files: restrictFiles(deps.files, writer, scope),
    renames: writer.renames,
  };
}

/** New files by the writer that knows of the folders; all turns, and what was kept of old, by the one of the server. */
function restrictFiles(files: NoteFiles, writer: NoteFiles, scope: FolderScope): NoteFiles {
  const check = (path: string, given: string) => {
    if (!isInScope(path, scope)) throw new VaultError("PATH_HIDDEN", { path: given });
  };
  return {
    exclusively: (signal, turn, note) => files.exclusively(signal, turn, note),
    create: (path, given, bytes) => writer.create(path, given, bytes),
    async replace(file, given, bytes) {
      check(file.path, given);
      return files.replace(file, given, bytes);
    },
    async trash(file, given) {
      check(file.path, given);
      return files.trash(file, given);
    },
    versions: async (path) => (isInScope(path, scope) ? files.versions(path) : []),
    readVersion: async (path, version) =>
      isInScope(path, scope) ? files.readVersion(path, version) : undefined,
    forgetTrashed: (path, version) => files.forgetTrashed(path, version),
  };
}
