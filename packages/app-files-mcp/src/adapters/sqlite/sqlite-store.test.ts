import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeStoreContract } from "../../../test/store-contract/describe-store.ts";
import { createSqliteStore } from "./sqlite-store.ts";

describeStoreContract("the store on SQLite and blobs", async (setting) => {
  const folder = await mkdtemp(join(tmpdir(), "app-files-"));
  let names = 0;
  const store = createSqliteStore({
    ...setting,
    folder: join(folder, "data"),
    nextName: () => `temp-${names++}`,
    onError: (error) => {
      throw error;
    },
  });
  return { store, dispose: () => rm(folder, { recursive: true }) };
});
