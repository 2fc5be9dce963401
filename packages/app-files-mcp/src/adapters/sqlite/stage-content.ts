import type { ContentFacts } from "../../domain/content.ts";
import { createContentDescriber } from "../../domain/content-describer.ts";
import type { WriteReceipt } from "../../domain/file-record.ts";
import type { CallOptions, StagedRequest, Staging } from "../../domain/store.ts";
import type { StagedBlob } from "../blob-folder.ts";
import { inlineBytes } from "./apply-write.ts";
import { translateError } from "./errors.ts";

/** What carries a staged write out: a small content comes as bytes, a large one as the file that it was staged in. */
export type WriteStaged = (
  request: StagedRequest,
  facts: ContentFacts,
  source: Uint8Array | StagedBlob,
  options?: CallOptions,
) => Promise<WriteReceipt>;

/** A content in a temporary file. */
export function stageContent(blob: StagedBlob, writeStaged: WriteStaged): Staging {
  const describer = createContentDescriber();
  let facts: ContentFacts | undefined;
  return {
    async append(bytes) {
      describer.add(bytes);
      await translated(blob.append(bytes));
    },
    async seal() {
      facts = describer.finish();
      if (facts.size > inlineBytes) await translated(blob.seal());
      return facts;
    },
    read: (offset, length) => translated(blob.read(offset, length)),
    async write(request, options) {
      if (facts === undefined) throw new Error("what is not sealed cannot be written");
      const source = facts.size > inlineBytes ? blob : await translated(blob.read(0, facts.size));
      return writeStaged(request, facts, source, options);
    },
    discard: () => blob.discard(),
  };
}

function translated<Result>(action: Promise<Result>): Promise<Result> {
  return action.catch((error: unknown) => {
    throw translateError(error);
  });
}
