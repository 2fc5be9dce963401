import { describe } from "vitest";
import { describeChanges } from "./changes.ts";
import { describeLimits } from "./limits.ts";
import { describeLinks } from "./links.ts";
import { describeListing } from "./listing.ts";
import { describeRestoring } from "./restoring.ts";
import { type CreateStore, useStore } from "./store-subject.ts";
import { describeTotals } from "./totals.ts";
import { describeTransfers } from "./transfers.ts";
import { describeUploads } from "./uploads.ts";
import { describeWriting } from "./writing.ts";

/** What every store keeps to: the fake that tools are tested on, and every real adapter. */
export function describeStoreContract(name: string, create: CreateStore): void {
  describe(name, () => {
    const subject = useStore(create);
    describeWriting(subject);
    describeLimits(subject);
    describeListing(subject);
    describeChanges(subject);
    describeUploads(subject);
    describeLinks(subject);
    describeTotals(subject);
    describeTransfers(subject);
    describeRestoring(subject);
  });
}
