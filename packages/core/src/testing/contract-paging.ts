import { describe, expect, test } from "vitest";
import { jsonBytes } from "../json.ts";
import type { ConnectedServer } from "./connect.ts";
import { type Subject, useServer, type Walk, type World } from "./subject.ts";

type Data = Record<string, unknown>;

interface Pages {
  readonly keys: readonly string[];
  readonly pages: readonly Data[];
}

/** Walks a query to its end, with these page sizes in turn. */
async function walkAll<W extends World>(
  server: ConnectedServer,
  walk: Walk<W>,
  args: Data,
  sizes: readonly number[],
): Promise<Pages> {
  const keys: string[] = [];
  const pages: Data[] = [];
  let cursor: string | null = null;
  do {
    const size = sizes[pages.length % sizes.length];
    const { isError, text, data } = await server.call(walk.tool, {
      ...args,
      ...(size !== undefined && { [walk.limit ?? "limit"]: size }),
      ...(cursor !== null && { cursor }),
    });
    expect(isError, text).toBe(false);
    const entries = data[walk.list] as Data[];
    expect(data.returned).toBe(entries.length);
    keys.push(...entries.map(walk.key));
    pages.push(data);
    cursor = data.next_cursor as string | null;
    expect(entries.length, "a page that goes on is never empty").toBeGreaterThan(0);
    if (size !== undefined && cursor !== null) expect(entries.length).toBeLessThanOrEqual(size);
  } while (cursor !== null && pages.length < 10_000);
  return { keys, pages };
}

/** Pages: complete, without repeats, ending, within the budget, bound to their query. */
export function describePaging<W extends World>(subject: Subject<W>): void {
  const walks = subject.walks.map((walk) => [walk.tool, walk] as const);
  const smallest = 4_000;

  describe("pages", () => {
    const current = useServer(subject);

    test.each(walks)("%s returns everything once, in order, whatever the page size", async (_tool, walk) => {
      const expected = walk.expected(current.world);
      expect(expected.length).toBeGreaterThanOrEqual(5);
      for (const sizes of [[1], [2], [3], [7], [1, 4, 2], []]) {
        const { keys } = await walkAll(current.server, walk, walk.args(current.world), sizes);
        expect(keys, `page sizes ${sizes}`).toEqual(expected);
      }
    });

    test.each(walks)("%s refuses cursors that are foreign, garbage or cut", async (_tool, walk) => {
      const args = walk.args(current.world);
      const size = { [walk.limit ?? "limit"]: 2 };
      const { data } = await current.server.call(walk.tool, { ...args, ...size });
      const cursor = String(data.next_cursor);
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
      const other = { ...walk.other(current.world), ...size };
      const bad: [Data, string][] = [
        [other, cursor],
        [args, "garbage"],
        [args, ""],
        [args, cursor.slice(0, -1)],
        [args, cursor.slice(0, 12)],
        [args, `${cursor}A`],
        [args, cursor.toLowerCase()],
        [args, Buffer.from('["x"]').toString("base64url")],
      ];
      for (const [query, given] of bad) {
        const { isError, text } = await current.server.call(walk.tool, { ...query, ...size, cursor: given });
        expect(isError, `${given}: ${text}`).toBe(true);
        expect(text).toMatch(/^INVALID_CURSOR: .+\.\nNext: Start again without cursor.+\.$/);
      }
    });
  });

  describe("pages under a small budget", () => {
    const current = useServer(subject, ["--max-result-bytes", String(smallest)]);

    test.each(walks)("%s stays within it and returns everything", async (_tool, walk) => {
      const { keys, pages } = await walkAll(current.server, walk, walk.args(current.world), []);
      expect(keys).toEqual(walk.expected(current.world));
      for (const page of pages) expect(jsonBytes(page)).toBeLessThanOrEqual(smallest);
    });
  });
}
