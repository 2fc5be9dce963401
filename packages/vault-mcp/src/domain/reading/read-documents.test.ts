import { symlinkSync, writeFileSync } from "node:fs";
import { cutText } from "@mcp-file-servers/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openIndex } from "../../../test/support/open-index.ts";
import { type TemporaryVault, temporaryVault } from "../../../test/support/temporary-vault.ts";
import { VaultFiles } from "../../adapters/vault-files.ts";
import { createYamlParser } from "../../adapters/yaml-frontmatter.ts";
import { etagOf } from "../etag.ts";
import { createVisibility, defaultAttachments } from "../visibility.ts";
import type { Library } from "./open-document.ts";
import { type ReadDocument, readDocuments } from "./read-documents.ts";
import { parseReadRequest, type ReadArguments, type ReadPosition } from "./read-request.ts";

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

describe("readDocuments", () => {
  let vault: TemporaryVault;
  let library: Library;
  let closeIndex: () => Promise<void>;

  beforeEach(() => {
    vault = temporaryVault({
      "a.md": "# A\none",
      "sub/b.md": "---\nx: 1\n---\nB",
      "Long.md": "0123456789\n".repeat(2_000),
      "p.png": png,
      "fake.png": "no image",
      "big.png": Buffer.concat([png, Buffer.alloc(1_000_001)]),
      "t.csv": "a,b\n1,2\n",
      "latin.csv": Uint8Array.from([0x61, 0xe9, 0x0a]),
      "b.canvas": '{"nodes":[]}',
      "v.svg": "<svg/>",
      "movie.ts": Uint8Array.from([0x47, 0x00, 0xff]),
      "d.pdf": "%PDF-1.4",
      "e.md": "",
    });
    const { index } = openIndex(vault.root);
    closeIndex = () => index.close();
    const visibility = createVisibility({ exclude: [], attachments: defaultAttachments });
    const place = { roots: [vault.root], windows: false };
    library = { index, reader: new VaultFiles(vault.root, visibility), place };
  });
  afterEach(async () => {
    await closeIndex();
    vault.dispose();
  });

  const signal = new AbortController().signal;
  async function read(args: ReadArguments & { from?: ReadPosition | undefined }, room = 20_000) {
    return readDocuments(parseReadRequest(args, args.from), library, {
      room,
      cut: cutText,
      parseYaml: createYamlParser(),
      signal,
    });
  }
  async function readOne(path: string): Promise<ReadDocument> {
    const [result] = (await read({ path })).results;
    if (result === undefined || !("document" in result)) throw result?.failure;
    return result.document;
  }

  it("gives several documents in order, each wrong one with a failure of its own", async () => {
    const { results, next } = await read({ paths: ["a.md", "missing.md", "sub/b.md", "../x", "A.MD"] });
    expect(next).toBeUndefined();
    expect(
      results.map((result) => ("document" in result ? result.document.data.content : result.failure.code)),
    ).toEqual(["# A\none", "NOT_FOUND", "---\nx: 1\n---\nB", "PATH_OUTSIDE_VAULT", "NOT_FOUND"]);
    expect(results[4]).toMatchObject({ failure: { details: { path: "A.MD", nearest: ["a.md"] } } });
  });

  it("goes on within and between documents, however little fits", async () => {
    const paths = ["a.md", "Long.md", "e.md", "sub/b.md", "nothing.md"];
    const contents = new Map<string, string>();
    let from: ReadPosition | undefined;
    let pages = 0;
    do {
      const { results, next } = await read({ paths, from }, 3_000);
      for (const result of results) {
        const { path, content } =
          "document" in result ? result.document.data : { path: result.given, content: "!" };
        contents.set(path, (contents.get(path) ?? "") + content);
      }
      const size = Buffer.byteLength(
        JSON.stringify(results.map((one) => ("document" in one ? one.document.data : 0))),
      );
      expect(size).toBeLessThanOrEqual(3_000);
      from = next;
      pages += 1;
    } while (from !== undefined);
    expect([...contents.keys()]).toEqual(paths);
    expect(contents.get("Long.md")).toBe("0123456789\n".repeat(2_000));
    expect(contents.get("nothing.md")).toBe("!");
    expect(pages).toBeGreaterThan(8);
  });

  it("ends a walk over a whole note with a whole tag, and refuses to go on when it changed", async () => {
    const first = await read({ path: "Long.md" }, 9_000);
    const second = await read({ path: "Long.md", from: first.next }, 9_000);
    const last = await read({ path: "Long.md", from: second.next }, 9_000);
    const tags = [first, second, last].map(({ results: [result] }) =>
      result !== undefined && "document" in result ? result.document.data.etag : undefined,
    );
    const etag = etagOf(Buffer.from("0123456789\n".repeat(2_000)));
    expect(tags).toEqual([`${etag}-partial`, `${etag}-partial`, etag]);
    expect(last.next).toBeUndefined();
    writeFileSync(`${vault.root}/Long.md`, "changed\n".repeat(3_000));
    await expect(read({ path: "Long.md", from: first.next }, 9_000)).rejects.toMatchObject({
      code: "INVALID_CURSOR",
    });
  });

  it("shows images as images, text as text, and links the rest", async () => {
    const kinds: Record<string, string> = {};
    for (const path of [
      "p.png",
      "fake.png",
      "big.png",
      "t.csv",
      "latin.csv",
      "b.canvas",
      "v.svg",
      "movie.ts",
      "d.pdf",
    ]) {
      const { data, image, link } = await readOne(path);
      kinds[path] = image ? "image" : link ? "link" : String(data.content);
    }
    expect(kinds).toEqual({
      "p.png": "image",
      "fake.png": "link",
      "big.png": "link",
      "t.csv": "a,b\n1,2\n",
      "latin.csv": "aé\n",
      "b.canvas": '{"nodes":[]}',
      "v.svg": "<svg/>",
      "movie.ts": "link",
      "d.pdf": "link",
    });
  });

  it("gives an image's own bytes and the whole tag, a linked file a partial one", async () => {
    const { image, data, notes } = await readOne("p.png");
    expect(Buffer.from(image?.data ?? [])).toEqual(Buffer.from(png));
    expect(image?.mimeType).toBe("image/png");
    expect(data.etag).toBe(etagOf(png));
    expect(notes).toEqual([]);
    expect((await readOne("d.pdf")).data).toMatchObject({
      size_bytes: 8,
      etag: expect.stringMatching(/-partial$/),
    });
    expect((await readOne("big.png")).notes[0]).toMatch(/larger than 1000000 bytes/);
  });

  it("does not put more than a few megabytes of images into an answer", async () => {
    const paths = Array.from({ length: 8 }, (_, index) => `large${index}.png`);
    for (const path of paths) vault.write(path, Buffer.concat([png, Buffer.alloc(900_000, path)]));
    const seen: string[] = [];
    let from: ReadPosition | undefined;
    do {
      const { results, next } = await read({ paths, from });
      const images = results.flatMap((result) => ("document" in result && result.document.image) || []);
      expect(images.reduce((sum, { data }) => sum + data.length, 0)).toBeLessThan(5_000_000);
      seen.push(...results.map((result) => ("document" in result ? result.document.data.path : "")));
      from = next;
    } while (from !== undefined);
    expect(seen).toEqual(paths);
  });

  it("names the file that a link leads to", async () => {
    symlinkSync("sub/b.md", `${vault.root}/l.md`);
    expect((await readOne("l.md")).data.path).toBe("sub/b.md");
    expect((await readOne(`${vault.root}/sub/b.md`)).data.path).toBe("sub/b.md");
    expect((await readOne("/sub\\b.md")).data.path).toBe("sub/b.md");
  });

  it.each([
    [{}, "path"],
    [{ path: "a.md", paths: ["a.md"] }, "path"],
    [{ path: "a.md", section: "A", start_line: 1 }, "section"],
    [{ path: "a.md", section: " " }, "section"],
    [{ path: "a.md", start_line: 3, end_line: 2 }, "end_line"],
  ])("refuses %j and names the argument", (args, argument) => {
    expect(() => parseReadRequest(args)).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", details: expect.objectContaining({ argument }) }),
    );
  });

  it("refuses an empty path", async () => {
    await expect(readOne(" ")).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(readOne("/")).rejects.toMatchObject({ code: "NOT_A_FILE" });
  });
});
