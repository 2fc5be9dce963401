import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  describeServerContract,
  installPacked,
  nodeBinaries,
  type World,
} from "@mcp-file-servers/core/testing";
import { afterAll } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { app } from "../src/app.ts";
import {
  goneReadings,
  linkedNotes,
  readingCalls,
  readingRefusals,
  readingWalks,
} from "./reading-contract.ts";
import { type TemporaryVault, temporaryVault } from "./support/temporary-vault.ts";
import { goneRefusals, writerCalls, writerRefusals } from "./writer-contract.ts";

interface VaultWorld extends World {
  readonly vault: TemporaryVault;
  readonly stateHome: string;
}

const notes = Object.fromEntries(
  Array.from({ length: 23 }, (_, index) => {
    const name = `note ${String(index).padStart(2, "0")}`;
    const folder = index % 3 === 0 ? "Journal/" : index % 3 === 1 ? "Journal/old/" : "";
    const frontmatter = `---\nstatus: ${index % 2 === 0 ? "open" : "done"}\nweight: ${index}\n---\n`;
    return [`${folder}${name}.md`, `${frontmatter}# ${name}\n\nText number ${index}. #tag/n${index}\n`];
  }),
);

const sorted = Object.keys(notes).sort();

async function arrange(): Promise<VaultWorld> {
  const vault = temporaryVault({
    ...notes,
    ...linkedNotes,
    ".hidden/x.md": "hidden",
    "tool.exe": "no kind of ours",
    "Long.md": "x".repeat(100_000),
    "huge.md": "",
  });
  truncateSync(`${vault.root}/huge.md`, 60_000_000);
  symlinkSync("/etc/hostname", `${vault.root}/out.md`);
  mkdirSync(`${vault.root}/Empty`);
  const stateHome = mkdtempSync(join(tmpdir(), "vault-mcp-state-"));
  return {
    vault,
    stateHome,
    args: [vault.root],
    env: { XDG_STATE_HOME: stateHome, XDG_CACHE_HOME: stateHome },
    dispose: async () => {
      vault.dispose();
      // A test of a vanished vault puts it there.
      rmSync(`${vault.root}-gone`, { recursive: true, force: true });
      rmSync(stateHome, { recursive: true, force: true });
    },
  };
}

const journal = sorted.filter((path) => path.startsWith("Journal/"));
const open = sorted.filter((path) => notes[path]?.includes("status: open"));
const byWeight = [...sorted].sort((a, b) => weightOf(b) - weightOf(a));

function weightOf(path: string): number {
  return Number(/weight: (\d+)/.exec(notes[path] ?? "")?.[1]);
}

const pathOf = (entry: Record<string, unknown>) => String(entry.path);

// As users get it: packed, and installed alone in an empty folder.
const packed = await installPacked(fileURLToPath(new URL("..", import.meta.url)), ["libsql"]);
afterAll(packed.dispose);

describeServerContract<VaultWorld>(
  {
    manifest,
    bin: packed.bin,
    golden: fileURLToPath(new URL("golden/tools.json", import.meta.url)),
    tools: app.tools,
    arrange,
    calls: {
      list_documents: () => ({ folder: "Journal", limit: 5, filters: { status: "open" }, tags: ["tag"] }),
      read_document: () => ({ path: "Journal/note 00.md" }),
      ...readingCalls,
      ...writerCalls,
    },
    refusals: [
      { tool: "list_documents", code: "INVALID_ARGUMENT", args: () => ({ sort: "colour" }) },
      {
        tool: "list_documents",
        code: "INVALID_ARGUMENT",
        args: () => ({ filters: { status: { like: "o" } } }),
      },
      { tool: "list_documents", code: "INVALID_ARGUMENT", args: () => ({ pattern: "" }) },
      { tool: "list_documents", code: "INVALID_ARGUMENT", args: () => ({ modified_after: "yesterday" }) },
      { tool: "list_documents", code: "INVALID_CURSOR", args: () => ({ cursor: "nonsense" }) },
      { tool: "list_documents", code: "PATH_OUTSIDE_VAULT", args: () => ({ folder: "../x" }) },
      { tool: "list_documents", code: "PATH_HIDDEN", args: () => ({ folder: ".hidden" }) },
      { tool: "list_documents", code: "PATTERN_TOO_COSTLY", args: () => ({ pattern: "*a*b*c*d*" }) },
      { tool: "read_document", code: "INVALID_ARGUMENT", args: () => ({}) },
      { tool: "read_document", code: "INVALID_ARGUMENT", args: () => ({ path: "a\0b" }) },
      {
        tool: "read_document",
        code: "INVALID_CURSOR",
        args: () => ({ path: "Long.md", cursor: "nonsense" }),
      },
      { tool: "read_document", code: "NOT_FOUND", args: () => ({ path: "Journal/note 0.md" }) },
      { tool: "read_document", code: "PATH_OUTSIDE_VAULT", args: () => ({ path: "../secret.md" }) },
      { tool: "read_document", code: "PATH_OUTSIDE_VAULT", args: () => ({ path: "out.md" }) },
      { tool: "read_document", code: "PATH_HIDDEN", args: () => ({ path: ".hidden/x.md" }) },
      { tool: "read_document", code: "NOT_A_FILE", args: () => ({ path: "Journal" }) },
      { tool: "read_document", code: "KIND_NOT_SERVED", args: () => ({ path: "tool.exe" }) },
      {
        tool: "read_document",
        code: "SECTION_NOT_FOUND",
        args: () => ({ path: "Journal/note 00.md", section: "Nowhere" }),
      },
      { tool: "read_document", code: "TOO_LARGE", args: () => ({ path: "huge.md" }) },
      ...readingRefusals,
      ...writerRefusals,
      {
        tool: "list_documents",
        code: "VAULT_UNREADABLE",
        args: () => ({ wait_for_pending_writes: true }),
        prepare: async ({ vault }) => renameSync(vault.root, `${vault.root}-gone`),
      },
      {
        tool: "read_document",
        code: "VAULT_UNREADABLE",
        args: () => ({ path: "Journal/note 00.md" }),
      },
      ...goneReadings,
      ...goneRefusals,
    ],
    walks: [
      ...readingWalks(sorted),
      {
        tool: "search_documents",
        list: "hits",
        args: () => ({ query: "number", pattern: "note *" }),
        key: pathOf,
        // All of them answer alike.
        expected: () => sorted,
        other: () => ({ query: "text", pattern: "note *" }),
      },
      {
        tool: "list_documents",
        list: "result",
        args: () => ({ pattern: "note *" }),
        key: pathOf,
        expected: () => sorted,
        other: () => ({ pattern: "n*" }),
      },
      {
        tool: "list_documents",
        list: "result",
        args: () => ({ folder: "Journal", order: "desc" }),
        key: pathOf,
        expected: () => [...journal].reverse(),
        other: () => ({ folder: "Journal" }),
      },
      {
        tool: "list_documents",
        list: "result",
        args: () => ({ filters: { status: "open" }, include_frontmatter: false }),
        key: pathOf,
        expected: () => open,
        other: () => ({ filters: { status: "done" } }),
      },
      {
        tool: "list_documents",
        list: "result",
        args: () => ({ sort: "frontmatter.weight", order: "desc", filters: { weight: { gte: 0 } } }),
        key: pathOf,
        expected: () => byWeight,
        other: () => ({ sort: "frontmatter.weight", filters: { weight: { gte: 0 } } }),
      },
    ],
    badStarts: [
      { what: "no vault", args: () => [], says: /VAULT_DIR is missing/ },
      {
        what: "a vault that is not there",
        args: ({ vault }) => [`${vault.root}/nowhere`],
        says: /VAULT_DIR: .*nowhere does not exist/,
      },
      {
        what: "a vault that is a file",
        args: ({ vault }) => [`${vault.root}/Long.md`],
        says: /is not a folder/,
      },
      {
        what: "a wrong exclusion",
        args: ({ vault }) => ["--exclude", "[z-a]", vault.root],
        says: /--exclude "\[z-a\]": .*wrong order/,
      },
      {
        what: "a wrong kind of attachments",
        args: ({ vault }) => [vault.root],
        env: { VAULT_ATTACHMENTS: "png,a/b" },
        says: /--attachments must be extensions/,
      },
      {
        what: "a wrong watch mode",
        args: ({ vault }) => ["--watch", "sometimes", vault.root],
        says: /--watch must be one of auto, poll, off/,
      },
    ],
  },
  nodeBinaries(process),
);
