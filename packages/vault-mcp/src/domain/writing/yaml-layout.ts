/** Where one entry of a block's top-level mapping stands, in UTF-16 units of the block. */
export interface YamlEntry {
  readonly key: string;
  /** Beginning of its line. */
  readonly start: number;
  /** After the colon. */
  readonly valueFrom: number;
  /** After the value; of a list or mapping on lines of its own, and of a block text, the beginning of the next line. */
  readonly valueTo: number;
  readonly style: "plain" | "single" | "double" | "flow" | "list" | "mapping" | "text";
  /** Spaces before the items of a list on lines of its own. */
  readonly itemIndent: number;
}

export interface YamlLayout {
  readonly entries: readonly YamlEntry[];
  /** Spaces before the keys. */
  readonly indent: number;
}

/** Finds the entries of a block that parses; `problem` says in a clause why they cannot be told apart. */
export type ReadYamlLayout = (yaml: string) => YamlLayout | { readonly problem: string };
