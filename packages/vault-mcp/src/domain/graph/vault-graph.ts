import type { LinkKind } from "../links/link.ts";

/** A link between files as the index has it. */
export interface GraphLink {
  /** Grows with the place in the source. */
  readonly id: number;
  /** Path of the file that holds it. */
  readonly source: string;
  /** From 1. */
  readonly line: number;
  /** What a reader sees. */
  readonly text: string;
  readonly kind: LinkKind;
  /** Where it leads; of a link that leads nowhere the path that the file would have, or the target as written. */
  readonly target: string;
  readonly exists: boolean;
  readonly heading: string | undefined;
  readonly block: string | undefined;
  /** Of a name that fits several files all of them, the chosen one first; else empty. */
  readonly candidates: readonly string[];
}

export type LinkDirection = "outlinks" | "backlinks";

/** A link's place among those of a list: by the path of its source, then as they stand there. */
export interface LinkPosition {
  readonly direction: LinkDirection;
  readonly source: string;
  readonly id: number;
}

export interface LinkPage {
  readonly links: readonly { readonly link: GraphLink; readonly position: LinkPosition }[];
  readonly more: boolean;
  /** Of each direction that was asked for, of all pages. */
  readonly outlinks: number;
  readonly backlinks: number;
}

export interface LinkRequest {
  /** A vault-relative path; compared in NFC. */
  readonly path: string;
  readonly directions: readonly LinkDirection[];
  readonly after: LinkPosition | undefined;
  readonly limit: number;
}

export type CheckKind = "broken" | "orphans" | "ambiguous" | "most_linked";

/** A place among what a check found: by path, then as the links stand there; an orphan's id is 0. */
export interface CheckPosition {
  readonly path: string;
  readonly id: number;
}

export interface CheckRequest {
  readonly kind: CheckKind;
  /** Vault-relative; empty for the root level alone, undefined for everything. */
  readonly folder: string | undefined;
  readonly after: CheckPosition | undefined;
  readonly limit: number;
}

export interface CheckPage {
  /**
   * Links that lead nowhere (a link that exists leads to a note without such a heading or block), or whose name fits
   * several files; in an orphan's place its path alone. Of the most linked, at most `limit` on one page, their paths with
   * the number of documents that link to each.
   */
  readonly found: readonly {
    readonly path: string;
    readonly link: GraphLink | undefined;
    readonly backlinks?: number;
  }[];
  readonly more: boolean;
  readonly total: number;
}

/** Told how far a look at all links is. */
export type GraphReport = (done: number, total: number) => void;

/** The links of the vault, resolved by one rule. Links of a file to itself are none, but broken ones. */
export interface VaultGraph {
  /** The links of a document; undefined where there is none at the path. */
  links(request: LinkRequest, signal: AbortSignal): Promise<LinkPage | undefined>;
  check(request: CheckRequest, signal: AbortSignal, report?: GraphReport): Promise<CheckPage>;
}
