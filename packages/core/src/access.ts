import type { Json } from "./json.ts";

/** What one caller may do. */
export interface Access {
  /** The token's name, or `local` for whoever started the server. */
  readonly name: string;
  readonly readOnly: boolean;
  /** The server's own limits, by the names that it declares: a list that is absent limits nothing, a switch is off. */
  readonly scope: Readonly<Record<string, Json>>;
}

/** Whoever starts a server over stdio may do everything that its command line allows. */
export const localAccess: Access = { name: "local", readOnly: false, scope: {} };

/** The limits that a token may have on a server, each a list of names or a switch. */
export type ScopeSpec = Readonly<
  Record<string, { readonly kind: "list" | "switch"; readonly description: string }>
>;
