import { createHash } from "node:crypto";
import path from "node:path";
import { deflateSync } from "node:zlib";
import { connect } from "../../packages/core/src/testing/connect.ts";
import type { Column } from "./box-table.ts";
import type { Stage } from "./main.ts";
import { ask, showRefusal, showWalk } from "./walk.ts";

type Entry = Record<string, unknown>;

const columns: readonly Column<Entry>[] = [
  { head: "path", isKey: true, show: ({ path }) => String(path) },
  { head: "size", align: "right", show: ({ size }) => String(size) },
  { head: "mime", show: ({ mime }) => String(mime) },
  { head: "version", align: "right", show: ({ version }) => String(version) },
];

const app = "recipe-box";

const texts: Readonly<Record<string, string>> = {
  "recipes/lentil soup.md": "# Lentil soup\n\n- 200 g red lentils\n- 1 onion\n- cumin\n",
  "recipes/flatbread.md": "# Flatbread\n\nFlour, water, salt. Rest for an hour.\n",
  "recipes/みそ汁.md": "# みそ汁\n\nだし、みそ、豆腐。\n",
  "exports/shopping (1).csv": "item,amount\nlentils,200 g\nonion,1\n",
  "exports/week.json": '{ "monday": "lentil soup", "tuesday": "flatbread" }\n',
  ".settings/view.toml": 'theme = "paper"\ncolumns = 2\n',
};

/** A PNG of one colour. Source: PNG specification, chunks IHDR, IDAT, IEND. */
function makePng(size: number, colour: readonly [number, number, number]): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const check = Buffer.alloc(4);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.concat([Buffer.from([0]), Buffer.concat(Array(size).fill(Buffer.from(colour)))]);
  const pixels = Buffer.concat(Array(size).fill(row));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(pixels)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** CRC-32 as PNG has it; Node has one of its own from 22.2 on only. */
function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** An app's files, written, listed, filtered, read back and protected from a stale overwrite. */
export async function showAppFiles({ screen, folder, root, node }: Stage): Promise<void> {
  screen.heading("app-files-mcp", "the files that an app keeps");
  const server = await connect({
    bin: path.join(root, "packages/app-files-mcp/dist/main.js"),
    args: ["--data", path.join(folder, "app-files")],
    env: { HOME: folder },
    node,
  });
  try {
    const binaries: Readonly<Record<string, Buffer>> = {
      "photos/soup.png": makePng(32, [214, 118, 48]),
      "photos/bread.png": makePng(24, [226, 196, 140]),
      "exports/archive.bin": Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 37) % 256)),
    };
    for (const [name, text] of Object.entries(texts)) {
      await ask(server, "file_write", { app, path: name, text });
    }
    for (const [name, bytes] of Object.entries(binaries)) {
      await ask(server, "file_write", { app, path: name, data_base64: bytes.toString("base64") });
    }
    screen.text(
      `Stored ${Object.keys(texts).length} texts and ${Object.keys(binaries).length} binary files with file_write.\n`,
    );

    screen.text("All files, four a page:");
    const list = { tool: "file_list", list: "files", total: "total", key: "path", columns };
    await showWalk(screen, server, { ...list, args: { app, limit: 4 } });

    screen.text("Only images:");
    await showWalk(screen, server, { ...list, args: { app, mime: "image/*" } });

    const read = await ask(server, "file_read", { app, path: "exports/archive.bin", as: "base64" });
    const sent = createHash("sha256")
      .update(binaries["exports/archive.bin"] ?? "")
      .digest("hex");
    const bytes = Buffer.from(String(read.data_base64), "base64");
    if (createHash("sha256").update(bytes).digest("hex") !== sent || read.sha256 !== sent) {
      throw new Error("exports/archive.bin came back with other bytes than were stored");
    }
    screen.call("file_read", { app, path: "exports/archive.bin", as: "base64" }, `${bytes.length} bytes`);
    screen.text(`  The same bytes as were stored: SHA-256 ${sent.slice(0, 16)}…\n`);

    screen.text("A new file must not replace one that is there:");
    const again = { app, path: "recipes/flatbread.md", text: "gone?", expected_version: 0 };
    await showRefusal(screen, server, { tool: "file_write", args: again, code: "VERSION_CONFLICT" });
  } finally {
    await server.close();
  }
}
