import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Refusal, World } from "@mcp-file-servers/core/testing";
import { etagOf, partialEtag } from "../src/domain/etag.ts";
import type { TemporaryVault } from "./support/temporary-vault.ts";

interface WriterWorld extends World {
  readonly vault: TemporaryVault;
  /** Where the servers of this world keep their state. */
  readonly stateHome: string;
}

type Arguments = Record<string, unknown>;
type WriterRefusal = Refusal<WriterWorld>;

const note = "Journal/note 00.md";
const edits = (oldText: string, newText = "x") => [{ old_text: oldText, new_text: newText }];

/** A call of each writer that is good for a document that is there. */
const writers: Readonly<Record<string, (path: string) => Arguments>> = {
  write_document: (path) => ({ path, content: "x", if_match: "0123456789abcdef" }),
  edit_document: (path) => ({ path, edits: edits("Text number 0", "Words"), dry_run: false }),
  append_to_document: (path) => ({ path, content: "more", create_if_missing: false }),
  set_frontmatter: (path) => ({ path, set: { status: "done" }, remove: ["nothing"], dry_run: false }),
  rename_path: (path) => ({ path, new_path: "Elsewhere/renamed.md", update_links: false, dry_run: false }),
  delete_document: (path) => ({ path }),
  restore_document: (path) => ({ path }),
};

export const writerCalls: Readonly<Record<string, (world: WriterWorld) => Arguments>> = {
  write_document: () => ({ path: "New/folder/first.md", content: "# First\n", frontmatter: { a: [1, "b"] } }),
  edit_document: () => ({ path: note, edits: edits("Text number 0", "Words"), dry_run: true }),
  append_to_document: () => ({ path: note, content: "- more", section: "note 00" }),
  set_frontmatter: () => ({ path: note, set: { status: "done" }, remove: ["weight"], dry_run: true }),
  rename_path: () => ({ path: "Journal/note 06.md", new_path: "Done/note 06.md", dry_run: true }),
  delete_document: () => ({ path: "Journal/note 03.md" }),
  restore_document: () => ({ path: "Journal/note 03.md" }),
};

/** Refusals that every writer gives, or all but some. */
function forEach(code: string, path: string, but: readonly string[] = []): WriterRefusal[] {
  return Object.entries(writers)
    .filter(([tool]) => !but.includes(tool))
    .map(([tool, args]) => ({ tool, code, args: () => args(path) }));
}

function refusal(
  tool: string,
  code: string,
  args: Arguments,
  files: Record<string, string | Uint8Array> = {},
) {
  const prepare = async ({ vault }: WriterWorld) => {
    for (const [path, content] of Object.entries(files)) vault.write(path, content);
  };
  return { tool, code, args: () => args, prepare } satisfies WriterRefusal;
}

const etagOfNote = ({ vault }: WriterWorld) => etagOf(readFileSync(join(vault.root, note)));
const latin = { "latin.md": new Uint8Array([0x63, 0x61, 0x66, 0xe9]) };

export const writerRefusals: readonly WriterRefusal[] = [
  ...forEach("INVALID_ARGUMENT", `/${note}`),
  ...forEach("NOT_FOUND", "Journal/nowhere.md", ["restore_document"]),
  ...forEach("PATH_OUTSIDE_VAULT", "../secret.md"),
  ...forEach("PATH_OUTSIDE_VAULT", "out.md", ["rename_path"]),
  ...forEach("PATH_HIDDEN", ".hidden/x.md"),
  ...forEach("NOT_A_FILE", "Journal", ["rename_path"]),
  refusal("rename_path", "NOT_A_FILE", { path: "out.md", new_path: "x.md" }),
  refusal("rename_path", "NAME_NOT_ALLOWED", { path: note, new_path: "Journal/CON.md" }),
  refusal("rename_path", "ALREADY_EXISTS", { path: note, new_path: "Journal/note 03.md" }),
  refusal("rename_path", "INVALID_ARGUMENT", { path: "Journal", new_path: "Journal/inner" }),
  ...forEach("KIND_NOT_SERVED", "tool.exe"),
  ...["write_document", "edit_document", "append_to_document"].map((tool) => ({
    tool,
    code: "TOO_LARGE",
    args: () => writers[tool]?.("huge.md") ?? {},
  })),
  refusal("delete_document", "TOO_LARGE", { path: "huge.md", if_match: "0123456789abcdef" }),
  refusal("set_frontmatter", "TOO_LARGE", { path: "huge.md", set: { a: 1 } }),
  refusal("restore_document", "TOO_LARGE", { path: "huge.md", version: "0123456789abcdef" }),
  ...["edit_document", "append_to_document", "set_frontmatter"].map((tool) =>
    refusal(tool, "NOT_TEXT", writers[tool]?.("latin.md") ?? {}, latin),
  ),
  refusal("write_document", "ETAG_REQUIRED", { path: note, content: "x" }),
  ...["write_document", "edit_document", "set_frontmatter", "delete_document"].map((tool) =>
    refusal(tool, "ETAG_MISMATCH", { ...writers[tool]?.(note), if_match: "0123456789abcdef" }),
  ),
  {
    tool: "write_document",
    code: "READ_INCOMPLETE",
    args: (world) => ({ path: note, content: "x", if_match: partialEtag(etagOfNote(world)) }),
  },
  refusal("edit_document", "EDIT_NOT_FOUND", { path: note, edits: edits("text number 0") }),
  refusal("edit_document", "EDIT_AMBIGUOUS", { path: note, edits: edits("0") }),
  refusal("edit_document", "EDITS_OVERLAP", {
    path: note,
    edits: [...edits("Text num"), ...edits("number 0")],
  }),
  refusal("edit_document", "FRONTMATTER_BROKEN", { path: note, edits: edits("status: ", 'status: "') }),
  refusal("write_document", "FRONTMATTER_BROKEN", { path: "b.md", content: '---\na: "b\n---\n' }),
  refusal(
    "append_to_document",
    "FRONTMATTER_BROKEN",
    { path: "half.md", content: "---\n" },
    { "half.md": '---\na: "b\n' },
  ),
  refusal("set_frontmatter", "FRONTMATTER_BROKEN", writers.set_frontmatter?.("broken.md") ?? {}, {
    "broken.md": "---\nname: a: b\n---\nbody",
  }),
  refusal(
    "set_frontmatter",
    "FRONTMATTER_NOT_EDITABLE",
    { path: "braces.md", set: { a: 2 } },
    {
      "braces.md": "---\n{a: 1}\n---\n",
    },
  ),
  refusal("write_document", "FRONTMATTER_NOT_EDITABLE", {
    path: "b.md",
    content: "",
    frontmatter: { ["k".repeat(2_000)]: 1 },
  }),
  refusal("append_to_document", "SECTION_NOT_FOUND", { path: note, content: "x", section: "Nowhere" }),
  refusal(
    "append_to_document",
    "SECTION_AMBIGUOUS",
    { path: "twice.md", content: "x", section: "A" },
    {
      "twice.md": "# A\n# A\n",
    },
  ),
  refusal("write_document", "NAME_NOT_ALLOWED", { path: "a: b?.md", content: "x" }),
  refusal("append_to_document", "NAME_NOT_ALLOWED", {
    path: "CON.md",
    content: "x",
    create_if_missing: true,
  }),
  refusal("write_document", "ALREADY_EXISTS", { path: "Journal/NOTE 00.md", content: "x" }),
  refusal("append_to_document", "ALREADY_EXISTS", {
    path: "Journal/NOTE 00.md",
    content: "x",
    create_if_missing: true,
  }),
  refusal("restore_document", "ALREADY_EXISTS", { path: note }),
  refusal("restore_document", "VERSION_NOT_FOUND", { path: "Journal/never.md" }),
  refusal("read_document", "VERSION_NOT_FOUND", { path: note, version: "0123456789abcdef" }),
  refusal("restore_document", "VERSION_NOT_FOUND", { path: note, version: "0123456789abcdef" }),
  ...Object.entries(writers).map(([tool, args]) => ({
    tool,
    code: "NOT_WRITTEN",
    args: (world: WriterWorld) => ({
      ...args(tool === "restore_document" ? "gone.md" : note),
      ...(tool === "write_document" && { if_match: etagOfNote(world) }),
    }),
    // From here on the server has no place for its state any more.
    prepare: async (
      { stateHome, vault }: WriterWorld,
      { call }: { call(name: string, args: Arguments): Promise<unknown> },
    ) => {
      if (tool === "restore_document") return;
      vault.write("gone.md", "gone");
      await call("delete_document", { path: "gone.md" });
      rmSync(stateHome, { recursive: true });
      writeFileSync(stateHome, "");
    },
  })),
];

/** Refusals once the vault itself is gone. */
export const goneRefusals: readonly WriterRefusal[] = forEach("VAULT_UNREADABLE", note);
