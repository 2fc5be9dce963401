import type { Reader, Writer } from "@mcp-file-servers/sqlite";
import type { Link, LinkStore } from "../../domain/link.ts";
import type { CallOptions } from "../../domain/store.ts";

/** What the store lends to its links. */
export interface LinkSurroundings {
  readonly now: () => number;
  read<Result>(work: (reader: Reader) => Result, options?: CallOptions): Promise<Result>;
  write<Result>(work: (writer: Writer) => Result, options?: CallOptions): Promise<Result>;
}

/** Links in the store's database. */
export function createLinkStore({ now, read, write }: LinkSurroundings): LinkStore {
  return {
    add: (hash, { app, path, version, by, expiresAt }, options) =>
      write((writer) => {
        dropOldLinks(writer, now());
        writer.run(
          `INSERT INTO link (hash, app, path, version, "by", expires_at) VALUES (?, ?, ?, ?, ?, ?)`,
          [hash, app, path, version, by, expiresAt],
        );
      }, options),

    find: (hash, options) =>
      read(
        (reader) =>
          reader.get<Link>(
            `SELECT app, path, version, "by", expires_at AS "expiresAt" FROM link WHERE hash = ? AND expires_at > ?`,
            [hash, now()],
          ),
        options,
      ),

    take: (hash, options) =>
      write(
        (writer) => writer.run("DELETE FROM link WHERE hash = ? AND expires_at > ?", [hash, now()]) > 0,
        options,
      ),
  };
}

export function dropOldLinks(writer: Writer, now: number): void {
  writer.run("DELETE FROM link WHERE expires_at <= ?", [now]);
}
