import { expect, it } from "vitest";
import type { GraphLink } from "../graph/vault-graph.ts";
import { describeFaults } from "./check-vault.ts";

const counts = { notes: 2, attachments: 0, folders: 0, bytes: 0, links: 4, bundle: undefined };

function link(line: number, more: Partial<GraphLink>): GraphLink {
  const common = { id: line, source: "a.md", line, text: "text", kind: "wikilink", target: "B.md" } as const;
  return { ...common, exists: true, heading: undefined, block: undefined, candidates: [], ...more };
}

it("names what is missing: a file, or the heading or block in one that is there", () => {
  const links = [
    link(1, { exists: false, heading: "Part" }),
    link(2, { heading: "No such part" }),
    link(3, { block: "id-1" }),
  ];
  expect([...describeFaults({ counts, notes: [], links })]).toEqual([
    "Broken links: 3",
    "  a.md:1  text -> B.md",
    "  a.md:2  text -> B.md#No such part",
    "  a.md:3  text -> B.md#^id-1",
    "Checked 2 notes and 0 attachments: 0 broken notes, 3 broken links.",
  ]);
});
