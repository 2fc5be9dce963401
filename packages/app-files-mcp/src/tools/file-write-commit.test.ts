import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createToolBench, type ToolBench } from "../testing/tool-bench.ts";
import { fileRead } from "./file-read.ts";
import { fileWriteBegin } from "./file-write-begin.ts";
import { fileWriteChunk } from "./file-write-chunk.ts";
import { fileWriteCommit } from "./file-write-commit.ts";

const app = "notes";
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

async function begin(bench: ToolBench, size: number): Promise<string> {
  return (await bench.call(fileWriteBegin, { app, size })).upload_id;
}

function send(bench: ToolBench, id: string, seq: number, bytes: string | Uint8Array) {
  return bench.call(fileWriteChunk, {
    upload_id: id,
    seq,
    data_base64: Buffer.from(bytes).toString("base64"),
  });
}

test("a file comes in chunks and is there when they are committed", async () => {
  const bench = createToolBench();
  const id = await begin(bench, 8);
  expect(await bench.call(fileWriteBegin, { upload_id: id })).toEqual({
    upload_id: id,
    app,
    size: 8,
    bytes: 0,
    received: [],
    missing: [],
    chunk_bytes: 5 * 1024 * 1024,
    expires_at: "2031-02-04T04:05:06.000Z",
    discarded: false,
  });
  expect(await send(bench, id, 2, "ef")).toEqual({
    upload_id: id,
    seq: 2,
    chunk_size: 2,
    duplicate: false,
    bytes: 2,
    size: 8,
    missing: [0, 1],
  });
  await send(bench, id, 0, "abc");
  expect(await send(bench, id, 0, "abc")).toMatchObject({ duplicate: true, bytes: 5, missing: [1] });
  expect(await bench.call(fileWriteBegin, { upload_id: id })).toMatchObject({
    received: [
      { first: 0, last: 0 },
      { first: 2, last: 2 },
    ],
    missing: [1],
  });
  await send(bench, id, 1, "d");
  await send(bench, id, 3, "\n\n");
  expect(
    await bench.call(fileWriteCommit, { upload_id: id, path: "a/b.txt", size: 8, command_id: "c" }),
  ).toMatchObject({ app, path: "a/b.txt", size: 8, mime: "text/plain", version: 1, files_version: 1 });
  expect(await bench.call(fileRead, { app, path: "a/b.txt" })).toMatchObject({
    text: "abcdef\n\n",
    total_lines: 2,
  });
});

test("whatever the sizes and the order of the chunks, the file is what was sent", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 8 }).chain((chunks) =>
        fc.tuple(
          fc.constant(chunks),
          fc.shuffledSubarray(
            chunks.map((_, seq) => seq),
            { minLength: chunks.length },
          ),
        ),
      ),
      async ([chunks, order]) => {
        const bench = createToolBench();
        const whole = Buffer.concat(chunks);
        const id = await begin(bench, whole.length);
        for (const seq of order) {
          await send(bench, id, seq, chunks[seq] ?? "");
          await send(bench, id, seq, chunks[seq] ?? "");
        }
        const file = { path: "f", size: whole.length, expected_sha256: sha256(whole) };
        const answer = await bench.call(fileWriteCommit, { upload_id: id, ...file });
        expect(answer.sha256).toBe(sha256(whole));
      },
    ),
    { numRuns: 50 },
  );
});

describe("a commit", () => {
  test("names what is missing, also the last chunk, and keeps the upload", async () => {
    const bench = createToolBench();
    const id = await begin(bench, 9);
    const commit = { upload_id: id, path: "f", size: 9 };
    expect(await bench.refusal(fileWriteCommit, commit)).toBe(
      "UPLOAD_INCOMPLETE: size: the upload has 0 bytes, not 9; chunk 0 is missing or damaged; nothing was written, the upload stays.\n" +
        "Next: Call file_write_chunk with seq 0, then file_write_commit again.",
    );
    await send(bench, id, 0, "abc");
    await send(bench, id, 2, "ghi");
    expect(await bench.refusal(fileWriteCommit, commit)).toMatch(/has 6 bytes, not 9; chunk 1 is missing/);
    await send(bench, id, 1, "de");
    expect(await bench.refusal(fileWriteCommit, commit)).toMatch(/has 8 bytes, not 9; chunk 3 is missing/);
    expect(await bench.refusal(fileWriteCommit, { ...commit, size: 7 })).toMatch(
      /has 8 bytes, not 7; nothing/,
    );
    await send(bench, id, 3, "j");
    const wrong = { ...commit, expected_sha256: "0".repeat(64) };
    expect(await bench.refusal(fileWriteCommit, wrong)).toMatch(/^SHA256_MISMATCH/);
    expect(await bench.refusal(fileWriteCommit, { ...commit, expected_version: 3 })).toMatch(
      /^VERSION_CONFLICT/,
    );
    await bench.call(fileWriteCommit, commit);
    expect(await bench.call(fileRead, { app, path: "f" })).toMatchObject({ text: "abcdeghij" });
  });

  test("refuses a size that was not announced, and says which was", async () => {
    const bench = createToolBench();
    const id = await begin(bench, 1);
    await send(bench, id, 0, "x");
    expect(await bench.refusal(fileWriteCommit, { upload_id: id, path: "f", size: 2 })).toBe(
      "INVALID_ARGUMENT: size: 2 is more than the 1 bytes that file_write_begin announced.\n" +
        "Next: Call again with size 1, or begin another upload with the size that the file has.",
    );
    expect(await bench.call(fileWriteCommit, { upload_id: id, path: "f", size: 1 })).toMatchObject({
      size: 1,
    });
  });

  test("can be repeated with its command_id, and finds no upload without", async () => {
    const bench = createToolBench();
    const id = await begin(bench, 1);
    await send(bench, id, 0, "x");
    const commit = { upload_id: id, path: "f", size: 1, command_id: "once" };
    const receipt = await bench.call(fileWriteCommit, commit);
    await bench.deps.store.remove({ app, path: "f", client: "t" });
    expect(await bench.call(fileWriteCommit, commit)).toEqual(receipt);
    expect(await bench.refusal(fileWriteCommit, { ...commit, path: "g" })).toMatch(/^COMMAND_ID_REUSED/);
    expect(await bench.refusal(fileWriteCommit, { ...commit, command_id: undefined })).toMatch(
      /^UPLOAD_NOT_FOUND.*\nNext: Call file_list /,
    );
  });

  test("stores an empty file of no chunks", async () => {
    const bench = createToolBench();
    const id = await begin(bench, 0);
    expect(await bench.call(fileWriteCommit, { upload_id: id, path: "f", size: 0 })).toMatchObject({
      size: 0,
    });
  });
});

describe("a chunk", () => {
  test("is refused with other bytes, beyond the announced size, empty, too large and as bad base64", async () => {
    const bench = createToolBench();
    const id = await begin(bench, 5);
    await send(bench, id, 0, "abc");
    const chunk = (seq: number, data_base64: string) =>
      bench.refusal(fileWriteChunk, { upload_id: id, seq, data_base64 });
    expect(await chunk(0, "eHh4")).toMatch(
      /^CHUNK_CONFLICT: seq: chunk 0 is there with other bytes \(3 bytes, sha256 ba7816bf/,
    );
    expect(await chunk(1, "eHh4")).toMatch(/^UPLOAD_TOO_LARGE: .*would have 6 bytes.*announced 5/);
    expect(await chunk(1, "")).toMatch(/^INVALID_ARGUMENT: data_base64: stands for no bytes/);
    expect(await chunk(1, "-_-_")).toMatch(/^INVALID_BASE64/);
    expect(await chunk(1, "A".repeat(7_000_000))).toMatch(/^INVALID_ARGUMENT: data_base64: may be 5242880 /);
    expect(await bench.call(fileWriteBegin, { upload_id: id })).toMatchObject({ bytes: 3 });
  });
});

describe("file_write_begin", () => {
  test.each([
    [{}, /^INVALID_ARGUMENT: app: is missing/],
    [{ app }, /^INVALID_ARGUMENT: size: is missing/],
    [{ app, size: 1, discard: true }, /^INVALID_ARGUMENT: discard: upload_id is missing/],
    [{ app, upload_id: "u" }, /^INVALID_ARGUMENT: app: cannot be used together with upload_id/],
    [{ size: 1, upload_id: "u" }, /^INVALID_ARGUMENT: size: cannot/],
    [{ upload_id: "u\n" }, /^UPLOAD_NOT_FOUND: upload_id: there is no upload "u "/],
    [{ app, size: 300 * 1024 * 1024 }, /^LIMIT_EXCEEDED: .*file_bytes/],
  ])("refuses %j", async (args, refusal) => {
    expect(await createToolBench().refusal(fileWriteBegin, args)).toMatch(refusal);
  });

  test("drops an upload on demand", async () => {
    const bench = createToolBench();
    const id = await begin(bench, 2);
    await send(bench, id, 0, "ab");
    expect(await bench.call(fileWriteBegin, { upload_id: id, discard: true })).toMatchObject({
      discarded: true,
      bytes: 2,
    });
    expect(await bench.refusal(fileWriteBegin, { upload_id: id })).toMatch(/^UPLOAD_NOT_FOUND/);
  });

  test("keeps uploads of apps that are not served out of reach", async () => {
    const bench = createToolBench({ allowed: ["notes"] });
    const { id } = await bench.deps.store.uploads.begin("secret", 1);
    const refusals = [
      await bench.refusal(fileWriteBegin, { upload_id: id }),
      await bench.refusal(fileWriteBegin, { upload_id: id, discard: true }),
      await bench.refusal(fileWriteChunk, { upload_id: id, seq: 0, data_base64: "eA==" }),
      await bench.refusal(fileWriteCommit, { upload_id: id, path: "f", size: 0 }),
    ];
    for (const refusal of refusals) expect(refusal).toMatch(/^UPLOAD_NOT_FOUND/);
    expect(await bench.deps.store.uploads.find(id)).toMatchObject({ bytes: 0 });
  });
});
