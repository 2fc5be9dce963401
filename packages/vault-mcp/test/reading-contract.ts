import type { Refusal, Walk, World } from "@mcp-file-servers/core/testing";

type Arguments = Record<string, unknown>;

/** A call of each tool that reads from the index, with arguments of every kind. */
export const readingCalls: Readonly<Record<string, () => Arguments>> = {
  search_documents: () => ({ query: "text number", folder: "Journal", tags: ["tag"], limit: 3 }),
  list_folders: () => ({ folder: "", depth: 1 }),
  list_tags: () => ({ prefix: "tag", sort: "name", limit: 5 }),
  list_properties: () => ({ key: "status" }),
  get_links: () => ({ path: "Links.md", direction: "both" }),
  check_links: () => ({ kind: "broken", limit: 5 }),
  get_status: () => ({}),
};

/** Notes beside those of the contract, for links and broken frontmatter. */
export const linkedNotes: Readonly<Record<string, string>> = {
  "Links.md": "[[note 00]] [[note 02]] [[Nowhere]] [[Nobody]] [[Nothing]] [[README]] [[Nomad]] [[Nought]]\n",
  "A/README.md": "",
  "B/README.md": "[[Links]]\n",
};

function refuse(tool: string, code: string, args: Arguments): Refusal<World> {
  return { tool, code, args: () => args };
}

const search = (more: Arguments) => ({ query: "text", ...more });

export const readingRefusals: readonly Refusal<World>[] = [
  refuse("search_documents", "INVALID_ARGUMENT", { query: "  " }),
  refuse("search_documents", "INVALID_ARGUMENT", search({ filters: { status: { like: "o" } } })),
  refuse("search_documents", "INVALID_CURSOR", search({ cursor: "nonsense" })),
  refuse("search_documents", "PATH_OUTSIDE_VAULT", search({ folder: "../x" })),
  refuse("search_documents", "PATH_HIDDEN", search({ folder: ".hidden" })),
  refuse("search_documents", "PATTERN_TOO_COSTLY", search({ pattern: "*a*b*c*d*" })),
  refuse("list_folders", "INVALID_ARGUMENT", { folder: "a\0b" }),
  refuse("list_folders", "INVALID_CURSOR", { cursor: "nonsense" }),
  refuse("list_folders", "PATH_OUTSIDE_VAULT", { folder: ".." }),
  refuse("list_folders", "PATH_HIDDEN", { folder: ".hidden" }),
  refuse("list_tags", "INVALID_ARGUMENT", { sort: "colour" }),
  refuse("list_tags", "INVALID_CURSOR", { cursor: "nonsense" }),
  refuse("list_properties", "INVALID_ARGUMENT", { key: " " }),
  refuse("list_properties", "INVALID_CURSOR", { cursor: "nonsense" }),
  refuse("get_links", "INVALID_ARGUMENT", { path: "" }),
  refuse("get_links", "INVALID_CURSOR", { path: "Links.md", cursor: "nonsense" }),
  refuse("get_links", "NOT_FOUND", { path: "Linkz.md" }),
  refuse("get_links", "PATH_OUTSIDE_VAULT", { path: "../x.md" }),
  refuse("get_links", "PATH_HIDDEN", { path: ".hidden/x.md" }),
  refuse("get_links", "NOT_A_FILE", { path: "Journal" }),
  refuse("get_links", "KIND_NOT_SERVED", { path: "tool.exe" }),
  refuse("check_links", "INVALID_ARGUMENT", { kind: "colour" }),
  refuse("check_links", "INVALID_CURSOR", { kind: "broken", cursor: "nonsense" }),
  refuse("check_links", "PATH_OUTSIDE_VAULT", { kind: "broken", folder: "../x" }),
  refuse("check_links", "PATH_HIDDEN", { kind: "broken", folder: ".hidden" }),
];

/** Of a vault that is gone. */
export const goneReadings: readonly Refusal<World>[] = Object.entries(readingCalls).map(([tool, args]) => ({
  tool,
  code: "VAULT_UNREADABLE",
  args,
}));

/** @param sorted the paths of the contract's notes, each with the words "Text number" and a tag of its own. */
export function readingWalks(sorted: readonly string[]): readonly Walk<World>[] {
  const tags = sorted.map((path) => `tag/n${Number(/(\d+)\.md$/.exec(path)?.[1])}`);
  return [
    {
      tool: "list_tags",
      list: "tags",
      args: () => ({ prefix: "tag/", sort: "name" }),
      key: (entry) => String(entry.tag),
      expected: () => [...tags].sort(),
      other: () => ({ prefix: "tag", sort: "name" }),
    },
    {
      tool: "list_properties",
      list: "properties",
      args: () => ({ key: "weight" }),
      key: (entry) => String(entry.value),
      expected: () => sorted.map((_, index) => String(index)),
      other: () => ({ key: "status" }),
    },
    {
      tool: "list_folders",
      list: "folders",
      args: () => ({}),
      key: (entry) => String(entry.path),
      expected: () => ["", "A", "B", "Empty", "Journal", "Journal/old"],
      other: () => ({ depth: 1 }),
    },
    {
      tool: "get_links",
      list: "links",
      args: () => ({ path: "Links.md" }),
      key: (entry) => `${entry.direction} ${entry.target}`,
      expected: () => [
        "outlink Journal/note 00.md",
        "outlink note 02.md",
        "outlink Nowhere.md",
        "outlink Nobody.md",
        "outlink Nothing.md",
        "outlink A/README.md",
        "outlink Nomad.md",
        "outlink Nought.md",
        "backlink Links.md",
      ],
      other: () => ({ path: "Links.md", direction: "outlinks" }),
    },
    {
      tool: "check_links",
      list: "found",
      args: () => ({ kind: "broken" }),
      key: (entry) => String((entry.link as { target: string }).target),
      expected: () => ["Nowhere.md", "Nobody.md", "Nothing.md", "Nomad.md", "Nought.md"],
      other: () => ({ kind: "ambiguous" }),
    },
  ];
}
