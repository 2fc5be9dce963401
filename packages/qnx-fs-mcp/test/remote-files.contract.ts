import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describePath } from "../src/domain/describe-path.ts";
import { KeptListings } from "../src/domain/kept-listings.ts";
import {
  type DirectoryPage,
  type ListRequest,
  listDirectory,
  readLinkTargets,
} from "../src/domain/list-directory.ts";
import { positionOf } from "../src/domain/order.ts";
import { displayName, displayPath, rawNameOf } from "../src/domain/raw-name.ts";
import type { OpenTarget } from "../src/domain/targets.ts";
import { listRequest } from "./list-request.ts";

/** A target on which the tree of the contract lies below `base`, the only root for reading and writing. */
export interface ContractTarget {
  readonly base: string;
  /** Whether it can rename over what is there, and be asked to bring a file to the medium. */
  readonly replaces: boolean;
  open(): Promise<OpenTarget>;
  close(): Promise<void>;
}

/** Names of the plain files in `files/`, in the order of their code points. */
export const plainNames = ["-n", "a.txt", "b b'c;touch m", "empty", "ü.txt", "日本.csv", "😀"];

/** Entries of `many/`. */
export const manyNames = Array.from({ length: 1_500 }, (_, index) => `f${String(index).padStart(4, "0")}`);

const signal = new AbortController().signal;

/** What a target holds at a path, read over the port again. */
async function contentAt({ files }: OpenTarget, path: string): Promise<string> {
  const file = await files.open(path, "read", signal);
  try {
    return (await file.read(0, 1_000_000, signal)).toString("latin1");
  } finally {
    file.release();
  }
}

async function* piecesOf(...pieces: string[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece, "latin1");
}

/** What every implementation of the port, with the domain on top of it, does on real servers. */
export function describeRemoteFiles(name: string, arrange: () => Promise<ContractTarget>): void {
  describe(`the files of ${name}`, () => {
    let target: ContractTarget;
    let place: OpenTarget;
    const at = (path: string): string => `${target.base}/${path}`;

    beforeAll(async () => {
      target = await arrange();
      place = await target.open();
    });
    afterAll(() => target?.close());

    async function list(path: string, request: Partial<ListRequest> = {}): Promise<DirectoryPage> {
      return listDirectory(place, noListings(), listRequest(at(path), request), signal);
    }
    const namesOf = (page: DirectoryPage): string[] =>
      page.entries.map((entry) => displayName(entry.name).text);

    test("describes a file, a directory and a FIFO without opening them", async () => {
      expect(await describePath(place, at("files/a.txt"), signal)).toMatchObject({
        realPath: at("files/a.txt"),
        entry: { type: "file", size: 5, mode: "0640", mtime: 1_800_000_000 },
      });
      expect((await describePath(place, at("empty"), signal)).entry.type).toBe("dir");
      expect((await describePath(place, at("pipe"), signal)).entry.type).toBe("fifo");
      expect((await describePath(place, target.base, signal)).entry.type).toBe("dir");
    });

    test("lists an empty directory, and shows it in its parent", async () => {
      expect(await list("empty")).toMatchObject({ entries: [], total: 0, inDirectory: 0, more: false });
      const parent = await listDirectory(place, noListings(), listRequest(target.base), signal);
      expect(namesOf(parent)).toEqual(["empty", "files", "links", "many", "pipe"]);
    });

    test("tells links from what they lead to", async () => {
      const page = await list("links");
      const links = await readLinkTargets(place, page.realPath, page.entries, signal);
      expect(page.entries.map(({ type }) => type)).toEqual(page.entries.map(() => "symlink"));
      expect(links.get(rawNameOf("good"))).toBe("../files/a.txt");
      expect(await describePath(place, at("links/good"), signal)).toMatchObject({
        linkTarget: "../files/a.txt",
        leadsTo: { realPath: at("files/a.txt"), exists: true, inRoots: true },
      });
      expect((await describePath(place, at("links/dangling"), signal)).leadsTo).toMatchObject({
        exists: false,
      });
      expect((await describePath(place, at("links/loop"), signal)).leadsTo).toMatchObject({ exists: false });
    });

    test("refuses what a link leads out of the roots to, and looks at nothing there", async () => {
      const refused = { code: "OUTSIDE_ROOTS", details: { byLink: true } };
      await expect(list("links/out")).rejects.toMatchObject(refused);
      await expect(describePath(place, at("links/out/passwd"), signal)).rejects.toMatchObject(refused);
      await expect(list("links/up")).rejects.toMatchObject(refused);
      expect((await describePath(place, at("links/out"), signal)).leadsTo).toEqual({
        realPath: null,
        exists: null,
        inRoots: false,
      });
      const beside = { code: "OUTSIDE_ROOTS", details: { byLink: false } };
      await expect(describePath(place, "/etc/passwd", signal)).rejects.toMatchObject(beside);
      await expect(describePath(place, `${target.base}beside/x`, signal)).rejects.toMatchObject(beside);
    });

    test("lists a directory that is reached through a link, and says where it is", async () => {
      expect((await list("links/dir")).realPath).toBe(at("files"));
    });

    test("tells a missing path, a dangling one and what is no directory", async () => {
      await expect(describePath(place, at("nowhere"), signal)).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expect(list("nowhere")).rejects.toMatchObject({
        code: "NOT_FOUND",
        details: { path: at("nowhere") },
      });
      await expect(list("links/dangling")).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expect(list("files/a.txt")).rejects.toMatchObject({
        code: "NOT_A_DIRECTORY",
        details: { type: "file" },
      });
      await expect(list("pipe")).rejects.toMatchObject({
        code: "NOT_A_DIRECTORY",
        details: { type: "fifo" },
      });
    });

    test("takes names as plain names and marks those that are not UTF-8", async () => {
      const { entries } = await list("files");
      const lossy = entries.filter((entry) => displayName(entry.name).lossy);
      expect(lossy.map((entry) => entry.name)).toEqual(["caf\xe9"]);
      for (const name of plainNames) {
        expect((await describePath(place, at(`files/${name}`), signal)).entry.name).toBe(rawNameOf(name));
      }
    });

    test("walks a large directory in pages, in both orders, each entry once", async () => {
      const listings = noListings();
      for (const order of ["asc", "desc"] as const) {
        const walked: string[] = [];
        let page: DirectoryPage | undefined;
        do {
          const last = page?.entries.at(-1);
          page = await listDirectory(
            place,
            listings,
            listRequest(at("many"), {
              order,
              after: last && positionOf(last, "name"),
              listing: page?.listing,
              count: 400,
            }),
            signal,
          );
          walked.push(...namesOf(page));
          expect(page.total).toBe(manyNames.length);
        } while (page.more);
        expect(walked).toEqual(order === "asc" ? manyNames : manyNames.toReversed());
      }
    });

    test("filters by pattern and type and counts both ways", async () => {
      expect(await list("many", { pattern: "f000?" })).toMatchObject({
        total: 10,
        inDirectory: manyNames.length,
      });
      expect(await list("links", { types: ["file"] })).toMatchObject({ total: 0, entries: [] });
    });

    test("answers many requests at once", async () => {
      const answers = await Promise.all(
        manyNames.slice(0, 500).map((name) => place.files.lstat(at(`many/${name}`), signal)),
      );
      expect(answers).toHaveLength(500);
      expect(displayPath(await place.files.realPath(at("links/dir"), signal)).text).toBe(at("files"));
    });

    async function put(path: string, ...pieces: string[]): Promise<void> {
      const file = await place.files.open(path, "create", signal);
      await (await file.write(piecesOf(...pieces), signal)).taken;
      await file.close(signal);
    }
    const missing = (path: string) =>
      expect(place.files.lstat(path, signal), path).rejects.toMatchObject({ code: "NOT_FOUND" });

    test("writes a new file whatever its pieces, tells what was taken, and reads it back", async () => {
      const path = at("written");
      const pieces = ["", "a".repeat(200_001), "b", "", "c".repeat(70_000)];
      const file = await place.files.open(path, "create", signal);
      let taken = 0;
      const written = await file.write(piecesOf(...pieces), signal, (bytes) => {
        taken += bytes;
      });
      await written.taken;
      expect(taken).toBe(270_002);
      await file.setMode(0o750, signal);
      expect(await file.sync(signal)).toBe(target.replaces);
      expect(await file.stat(signal)).toMatchObject({ size: 270_002 });
      await file.close(signal);
      expect(((await place.files.lstat(path, signal)).mode ?? 0) & 0o7777).toBe(0o750);
      expect(await contentAt(place, path)).toBe(pieces.join(""));
      const again = await place.files.open(path, "read", signal);
      const middle: Buffer[] = [];
      for await (const piece of again.stream(199_999, 200_004, signal)) middle.push(piece);
      expect(Buffer.concat(middle).toString()).toBe("aabcc");
      let whole = "";
      for await (const piece of again.stream(0, 300_000, signal, { reuse: true })) whole += piece.toString();
      expect(whole).toBe(pieces.join(""));
      expect((await again.read(270_000, 100, signal)).toString()).toBe("cc");
      expect(await again.read(270_002, 100, signal)).toHaveLength(0);
      again.release();
      await place.files.removeFile(path, signal);
      await missing(path);
    });

    test("creates no file over another one, nor where no directory is", async () => {
      await put(at("taken"), "old");
      await expect(place.files.open(at("taken"), "create", signal)).rejects.toMatchObject({
        code: "REFUSED_BY_TARGET",
        details: { operation: "OPEN" },
      });
      expect(await contentAt(place, at("taken"))).toBe("old");
      await expect(place.files.open(at("nowhere/x"), "create", signal)).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
      await place.files.removeFile(at("taken"), signal);
    });

    test("renames to a free name only, and over a file where it can", async () => {
      const [from, to] = [at("from"), at("to")];
      await put(from, "new");
      await put(to, "old");
      await expect(place.files.rename(from, to, signal)).rejects.toMatchObject({ code: "REFUSED_BY_TARGET" });
      expect([await contentAt(place, from), await contentAt(place, to)]).toEqual(["new", "old"]);
      expect(await place.files.replace(from, to, signal)).toBe(target.replaces);
      if (target.replaces) await missing(from);
      else {
        expect([await contentAt(place, from), await contentAt(place, to)]).toEqual(["new", "old"]);
        await place.files.removeFile(to, signal);
        await place.files.rename(from, to, signal);
        await missing(from);
      }
      expect(await contentAt(place, to)).toBe("new");
      await expect(place.files.rename(from, at("x"), signal)).rejects.toMatchObject({ code: "NOT_FOUND" });
      await place.files.removeFile(to, signal);
    });

    test("makes and removes directories, empty ones only, and files not as directories", async () => {
      const directory = at("made");
      await place.files.makeDirectory(directory, 0o755, signal);
      await expect(place.files.makeDirectory(directory, 0o755, signal)).rejects.toMatchObject({
        code: "REFUSED_BY_TARGET",
        details: { operation: "MKDIR" },
      });
      await place.files.setMode(directory, 0o700, signal);
      expect(((await place.files.lstat(directory, signal)).mode ?? 0) & 0o7777).toBe(0o700);
      await put(`${directory}/x`, "x");
      await expect(place.files.removeDirectory(directory, signal)).rejects.toMatchObject({
        code: "REFUSED_BY_TARGET",
        details: { operation: "RMDIR" },
      });
      await expect(place.files.removeFile(directory, signal)).rejects.toMatchObject({
        code: "REFUSED_BY_TARGET",
      });
      await place.files.removeFile(`${directory}/x`, signal);
      await place.files.removeDirectory(directory, signal);
      await missing(directory);
      await expect(place.files.removeFile(directory, signal)).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expect(place.files.removeDirectory(directory, signal)).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
      await expect(place.files.setMode(directory, 0o700, signal)).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
    });

    test("writes nothing more once it is cancelled, and goes on afterwards", async () => {
      const controller = new AbortController();
      const reason = new Error("enough");
      const file = await place.files.open(at("cancelled"), "create", signal);
      async function* endless(): AsyncGenerator<Buffer> {
        for (let piece = 0; ; piece++) {
          if (piece === 20) controller.abort(reason);
          yield Buffer.alloc(100_000);
        }
      }
      await expect(file.write(endless(), controller.signal)).rejects.toBe(reason);
      await expect(file.setMode(0o600, controller.signal)).rejects.toBe(reason);
      await file.close(signal);
      const { size = 0 } = await place.files.lstat(at("cancelled"), signal);
      expect(size).toBeLessThanOrEqual(2_000_000);
      await place.files.removeFile(at("cancelled"), signal);
    });

    test("stops when it is cancelled, and goes on afterwards", async () => {
      const controller = new AbortController();
      const reason = new Error("enough");
      const walk = (async () => {
        for await (const batch of place.files.readDirectory(at("many"), controller.signal)) {
          expect(batch.length).toBeGreaterThan(0);
          controller.abort(reason);
        }
      })();
      await expect(walk).rejects.toBe(reason);
      await expect(place.files.lstat(at("files"), controller.signal)).rejects.toBe(reason);
      expect((await list("many")).total).toBe(manyNames.length);
    });
  });
}

function noListings(): KeptListings {
  return new KeptListings({
    keepMs: 1_000,
    maxListings: 4,
    maxEntries: 100_000,
    now: () => 0,
    newId: () => "id",
  });
}
