import { cpSync, readFileSync } from "node:fs";
import path from "node:path";
import { connect } from "../../packages/core/src/testing/connect.ts";
import type { Column } from "./box-table.ts";
import type { Stage } from "./main.ts";
import { ask, showRefusal, showWalk } from "./walk.ts";

type Entry = Record<string, unknown>;

const columns: readonly Column<Entry>[] = [
  { head: "path", isKey: true, show: ({ path }) => String(path) },
  { head: "title", show: ({ title }) => String(title ?? "") },
  { head: "tags", show: ({ tags }) => (Array.isArray(tags) ? tags.join(" ") : "") },
  { head: "status", show: ({ okf }) => String((okf as Entry | undefined)?.status ?? "") },
  { head: "bytes", align: "right", show: ({ size_bytes }) => String(size_bytes) },
  { head: "kind", show: ({ kind, parse_error }) => (parse_error ? `${kind}, broken` : String(kind)) },
];

/** A folder of notes: every page of it, one filter, one note, one misspelt argument. */
export async function showVault({ screen, folder, root, node }: Stage): Promise<void> {
  screen.heading("vault-mcp", "a folder of Markdown notes");
  const vault = path.join(folder, "vault");
  cpSync(path.join(root, "examples/vault"), vault, { recursive: true });
  const bin = path.join(root, "packages/vault-mcp/dist/main.js");
  const server = await connect({ bin, args: [vault], env: { HOME: folder }, node });
  try {
    screen.text("All notes and attachments, ten a page:");
    const list = { tool: "list_documents", list: "result", total: "total", key: "path", columns };
    await showWalk(screen, server, { ...list, args: { include_attachments: true, limit: 10 } });

    screen.text("Only what is a draft, by its frontmatter:");
    await showWalk(screen, server, { ...list, args: { filters: { status: "draft" } } });

    const first = { path: "Guides/Compost.md", start_line: 1, end_line: 12 };
    const { content, total_lines } = await ask(server, "read_document", first);
    const onDisk = readFileSync(path.join(vault, first.path), "utf8");
    if (!onDisk.startsWith(String(content).trimEnd()))
      throw new Error(`${first.path} was not read as it stands`);
    screen.call("read_document", first, `${first.end_line} of ${total_lines} lines`);
    screen.text(String(content).trimEnd().replace(/^/gm, "  "));
    screen.text("");

    screen.text("A misspelt filter is not ignored:");
    await showRefusal(screen, server, {
      tool: "list_documents",
      args: { filter: { status: "draft" } },
      code: "INVALID_ARGUMENT",
    });
  } finally {
    await server.close();
  }
}
