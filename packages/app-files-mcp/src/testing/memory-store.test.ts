import { describeStoreContract } from "../../test/store-contract/describe-store.ts";
import { createMemoryStore } from "./memory-store.ts";

describeStoreContract("the store in memory", async (setting) => ({
  store: createMemoryStore(setting),
  dispose: async () => {},
}));
