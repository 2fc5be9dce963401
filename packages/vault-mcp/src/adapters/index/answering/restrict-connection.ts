import type { FolderScope } from "../../../domain/restrict/folder-scope.ts";
import type { IndexConnection, IndexSnapshot } from "./index-snapshot.ts";

/** The index of a caller who is limited to some folders: no selection holds a document outside of them. */
export function restrictConnection(connection: IndexConnection, scope: FolderScope): IndexConnection {
  return {
    read: (work) => connection.read((snapshot) => work(restrict(snapshot, scope))),
  };
}

function restrict(snapshot: IndexSnapshot, within: FolderScope): IndexSnapshot {
  return {
    reader: snapshot.reader,
    generation: snapshot.generation,
    epoch: snapshot.epoch,
    isBundle: snapshot.isBundle,
    within,
    select: (conditions) => snapshot.select({ ...conditions, within }),
    documents: (ids) => snapshot.documents(ids),
  };
}
