import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { app } from "../src/app.ts";

/**
 * Questions as people ask them, with the one call that each leads to by the definitions alone. The words in `because`
 * stand in the definition and decide.
 */
const questions: readonly {
  readonly question: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly because: string;
}[] = [
  {
    question: "What did I write about late blight?",
    tool: "search_documents",
    args: { query: "late blight" },
    because: "by what is written in them",
  },
  {
    question: 'Where does it say exactly "- [ ] call Ann"?',
    tool: "search_documents",
    args: { query: "- [ ] call Ann", match: "literal" },
    because: "literal finds the text as it stands",
  },
  {
    question: "Which of my drafts were due before March 2031?",
    tool: "list_documents",
    args: { filters: { status: "draft", due: { lt: "2031-03-01" } } },
    because: "select by folder, frontmatter",
  },
  {
    question: "Show me the note Projects/Shed.md.",
    tool: "read_document",
    args: { path: "Projects/Shed.md" },
    because: "whose path is known, whole or in part",
  },
  {
    question: "How is this vault organised?",
    tool: "list_folders",
    args: { depth: 1 },
    because: "how the vault is laid out",
  },
  { question: "Which tags do I use most?", tool: "list_tags", args: {}, because: "tags in use" },
  {
    question: "Which values does the property status have?",
    tool: "list_properties",
    args: { key: "status" },
    because: "the values of that key",
  },
  {
    question: "What links to the note on Kyoto, Places/Kyoto.md?",
    tool: "get_links",
    args: { path: "Places/Kyoto.md", direction: "backlinks" },
    because: "what links to it",
  },
  {
    question: "Are there links that lead nowhere?",
    tool: "check_links",
    args: { kind: "broken" },
    because: "broken: links to no file or",
  },
  {
    question: "Which of my notes are the hubs, that most others link to?",
    tool: "check_links",
    args: { kind: "most_linked" },
    because: "most_linked: the documents that most others link to",
  },
  {
    question: "Which notes on compost are not done?",
    tool: "list_documents",
    args: { tags: ["compost", "!done"] },
    because: "path pattern, tags or",
  },
  {
    question: "Why does a note that I just saved not turn up?",
    tool: "get_status",
    args: {},
    because: "look incomplete or stale",
  },
];

it.each(questions)("$question -> $tool", ({ tool, args, because }) => {
  const found = app.tools.filter(({ description }) => description.includes(because));
  expect(found.map(({ name }) => name)).toEqual([tool]);
  expect(found[0]?.input.safeParse(args).success).toBe(true);
});

it("names a sibling for what each reading tool is not for", () => {
  const names = app.tools.map(({ name }) => name);
  for (const { name, description, effect } of app.tools) {
    if (effect !== "read") continue;
    expect(
      names.filter((other) => other !== name && description.includes(other)),
      name,
    ).not.toEqual([]);
  }
});

it("keeps the definitions small", () => {
  const { tools } = JSON.parse(readFileSync(new URL("golden/tools.json", import.meta.url), "utf8"));
  const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
  const asked = tools.map(({ name, description, inputSchema }: Record<string, unknown>) => ({
    name,
    description,
    inputSchema,
  }));
  expect(bytes(asked)).toBeLessThanOrEqual(20_000 + tools.length);
  expect(bytes(tools)).toBeLessThanOrEqual(40_000 + tools.length);
});
