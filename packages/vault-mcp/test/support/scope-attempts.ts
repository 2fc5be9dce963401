import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type TemporaryVault, temporaryVault } from "./temporary-vault.ts";

/** Stands in every name, text, key, value and tag outside of the caller's folder, and nowhere inside. */
export const secret = "zanzibar";

/** Whatever a caller could try, at what lies outside of its folder. */
export const attempts: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  list_documents: [
    {},
    { include_attachments: true },
    { folder: "Private" },
    { folder: "" },
    { folder: "Public/door" },
    { pattern: "**" },
    { pattern: "*zanz*" },
    { tags: ["zanziba"] },
    { filters: { zanziba: 1 } },
    { filters: { owner: { exists: true } } },
    { sort: "title" },
    { sort: "modified", order: "desc" },
    { wait_for_pending_writes: true },
  ],
  search_documents: [
    { query: "zanzib" },
    { query: "zanzibar" },
    { query: "zanzibar shared" },
    { query: "anziba", match: "literal" },
    { query: "shared", folder: "Private" },
    { query: "shared", pattern: "Private/**" },
    { query: "zanzibar", tags: ["zanziba"] },
  ],
  read_document: [
    { path: "Private/zanzibar.md" },
    { path: "Private/zanziba.md" },
    { path: "zanzibar root.md" },
    { path: "Public/../Private/zanzibar.md" },
    { path: "Public/door/zanzibar.md" },
    { path: "Public/window.md" },
    { path: "PRIVATE/zanzibar.md" },
    { paths: ["Private/zanzibar.md", "Public/shared.md", "Public/zanzibar.md"] },
    { path: "Public/zanziba.md" },
    { path: "Private/zanzibar.md", version: "0123456789abcdef" },
  ],
  list_folders: [{}, { depth: 1 }, { folder: "Private" }, { folder: "Privat" }, { folder: "Public/x" }],
  list_tags: [{}, { prefix: "zanz" }, { prefix: "zanzibaz" }],
  list_properties: [{}, { key: "zanzibar key" }, { key: "owner" }, { key: "zanzibar" }],
  get_links: [
    { path: "Public/shared.md" },
    { path: "Private/zanzibar.md" },
    { path: "Public/zanzibar.md" },
    { path: "Public/shared.md", direction: "backlinks" },
  ],
  check_links: [
    { kind: "broken" },
    { kind: "orphans" },
    { kind: "ambiguous" },
    { kind: "most_linked" },
    { kind: "broken", folder: "Private" },
    { kind: "orphans", folder: "" },
  ],
  get_status: [{}],
  write_document: [
    { path: "Private/new.md", content: "x" },
    { path: "Public/door/new.md", content: "x" },
    { path: "new.md", content: "x" },
    { path: "Private/zanzibar.md", content: "x", if_match: "0123456789abcdef" },
  ],
  edit_document: [
    { path: "Private/zanzibar.md", edits: [{ old_text: "a", new_text: "b" }] },
    { path: "Public/door/zanzibar.md", edits: [{ old_text: "a", new_text: "b" }] },
    { path: "Public/window.md", edits: [{ old_text: "a", new_text: "b" }] },
  ],
  append_to_document: [
    { path: "Private/zanzibar.md", content: "x" },
    { path: "Private/more.md", content: "x", create_if_missing: true },
  ],
  set_frontmatter: [{ path: "Private/zanzibar.md", set: { a: 1 } }],
  delete_document: [
    { path: "Private/zanzibar.md" },
    { path: "Public/window.md" },
    { path: "Public/linked.md" },
  ],
  restore_document: [
    { path: "Private/gone.md" },
    { path: "Private/zanzibar.md", version: "0123456789abcdef" },
  ],
};

/** A vault with a folder for the caller, `Public`, and doors in it that lead out. */
export function guardedVault(): TemporaryVault {
  const vault = temporaryVault({
    "Public/shared.md": "---\nstatus: open\n---\n# Shared\n\n[[Inside]] #mine\n",
    "Public/Inside.md": "[[shared]]",
    "Public/linked.md": "here",
    "Private/zanzibar.md":
      "---\nzanzibar key: zanzibar value\nowner: zanzibar\naliases: [zanzibar alias]\n---\n# zanzibar\n\n[[shared]] [[linked]] [[zanzibar nowhere]] #zanzibar shared",
    "Private/zanzibar.png": "x",
    "Private/broken zanzibar.md": '---\na: "zanzibar\n---\n',
    "zanzibar root.md": "---\nokf_version: 1\n---\nzanzibar",
    "zanzibar folder/Inside.md": "zanzibar",
  });
  mkdirSync(join(vault.root, "Private/zanzibar sub"));
  symlinkSync("../Private", join(vault.root, "Public/door"));
  symlinkSync("../Private/zanzibar.md", join(vault.root, "Public/window.md"));
  return vault;
}

/** What an answer tells besides what was asked with. */
export function told(answer: string, args: object): string {
  let rest = answer;
  for (const value of Object.values(args).flat()) {
    if (typeof value === "string" && value !== "") rest = rest.replaceAll(value, "");
  }
  return rest;
}
