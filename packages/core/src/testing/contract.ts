import { describe } from "vitest";
import { describeArguments } from "./contract-arguments.ts";
import { describeCalls } from "./contract-calls.ts";
import { describeDefinitions } from "./contract-definitions.ts";
import { describeLife } from "./contract-life.ts";
import { describePaging } from "./contract-paging.ts";
import { describeProtocol } from "./contract-protocol.ts";
import type { NodeBinary } from "./nodes.ts";
import type { ServerContract, Subject, World } from "./subject.ts";

/** The suite that every server passes, on its built binary over real stdio, on each of the given Node binaries. */
export function describeServerContract<W extends World>(
  contract: ServerContract<W>,
  nodes: readonly NodeBinary[],
): void {
  for (const node of nodes) {
    const subject: Subject<W> = {
      ...contract,
      node,
      start: (world, more = []) => ({
        bin: contract.bin,
        args: [...more, ...world.args],
        node: node.path,
        ...(world.env && { env: world.env }),
      }),
    };
    describe(`${contract.manifest.name} on ${node.name}`, () => {
      describeProtocol(subject);
      describeDefinitions(subject);
      describeCalls(subject);
      describeArguments(subject);
      describePaging(subject);
      describeLife(subject);
    });
  }
}
