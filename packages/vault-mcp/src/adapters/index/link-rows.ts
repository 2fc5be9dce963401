import type { GraphLink } from "../../domain/graph/vault-graph.ts";
import type { LinkKind, LinkSyntax } from "../../domain/links/link.ts";
import type { Resolver } from "../../domain/links/resolve-link.ts";

/** A link as the index keeps it, with the path of its file. */
export interface LinkRow {
  readonly id: number;
  readonly source: string;
  readonly kind: LinkKind;
  readonly syntax: LinkSyntax;
  readonly line: number;
  readonly text: string;
  readonly raw: string;
  readonly path: string;
  readonly heading: string | null;
  readonly block: string | null;
}

/** In SQL: the columns of a LinkRow. */
export const linkColumns = `link.id AS id, document.path AS source, link.kind AS kind, link.syntax AS syntax,
  link.line AS line, link.text AS text, link.raw AS raw, link.path AS path, link.heading AS heading, link.block AS block`;

export const linkTables = "link JOIN document ON document.id = link.id >> 16";

/** A link with where it leads. */
export function toGraphLink(row: LinkRow, resolver: Resolver): GraphLink {
  const { id, source, line, text, kind, heading, block } = row;
  const resolved = row.path === "" ? { target: source, candidates: [] } : resolver.resolve(row, source);
  const exists = resolved.target !== undefined;
  return {
    id,
    source,
    line,
    text,
    kind,
    target: exists ? resolved.target : (resolved.wouldBe ?? row.raw),
    exists,
    heading: heading ?? undefined,
    block: block ?? undefined,
    candidates: exists ? resolved.candidates : [],
  };
}
