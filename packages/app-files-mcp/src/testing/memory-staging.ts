import type { ContentFacts } from "../domain/content.ts";
import { createContentDescriber } from "../domain/content-describer.ts";
import type { Staging } from "../domain/store.ts";
import type { MemoryCore } from "./memory-core.ts";

/** A content that comes piece by piece, in memory; the upload that it came from ends with its write. */
export function createMemoryStaging(core: MemoryCore): Staging {
  const pieces: Uint8Array[] = [];
  const describer = createContentDescriber();
  let facts: ContentFacts | undefined;
  return {
    async append(bytes) {
      describer.add(bytes);
      pieces.push(bytes.slice());
    },
    async seal() {
      facts = describer.finish();
      return facts;
    },
    read: async (offset, length) => Buffer.concat(pieces).subarray(offset, offset + length),
    async write({ upload, ...request }) {
      if (facts === undefined) throw new Error("what is not sealed cannot be written");
      const content = { facts, bytes: Buffer.concat(pieces) };
      return core.once(request, () => {
        const putBack = upload === undefined ? () => {} : core.uploads.take(upload);
        try {
          return core.addVersion({ ...request, content, action: "write" });
        } catch (error) {
          putBack();
          throw error;
        }
      });
    },
    discard: async () => {},
  };
}
