import * as z from "zod";
import type { GraphLink } from "../domain/graph/vault-graph.ts";

/** Fields of a link in an answer. */
export const linkFields = {
  source: z.string().describe("file that holds it"),
  line: z.int(),
  text: z.string().optional(),
  kind: z.string().describe("such as wikilink or embed"),
  target: z.string().describe("where it leads or would lead"),
  exists: z.boolean(),
  fragment: z.string().optional().describe("heading, or ^block"),
  candidates: z.array(z.string()).optional().describe("files that fit, the chosen one first"),
};

export function toLinkEntry({
  source,
  line,
  text,
  kind,
  target,
  exists,
  heading,
  block,
  candidates,
}: GraphLink) {
  const fragment = block === undefined ? heading : `^${block}`;
  return {
    source,
    line,
    text: text.slice(0, 500).toWellFormed(),
    kind,
    target,
    exists,
    ...(fragment !== undefined && { fragment }),
    ...(candidates.length > 0 && { candidates: [...candidates] }),
  };
}
