import { afterAll, beforeAll } from "vitest";
import type { Tool } from "../tool.ts";
import { type ConnectedServer, connect, type Start } from "./connect.ts";
import type { NodeBinary } from "./nodes.ts";
import { type RawServer, startRawServer } from "./raw-server.ts";

type Arguments = Record<string, unknown>;

/** What a server works on during a test: a folder, a store, a target; made anew, gone afterwards. */
export interface World {
  /** The server's command line for it. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  dispose(): Promise<void>;
}

/** A call that must be refused with a code. */
export interface Refusal<W extends World> {
  readonly tool: string;
  readonly code: string;
  args(world: W): Arguments;
  /** What must have happened before. */
  prepare?(world: W, server: ConnectedServer): Promise<void>;
}

/** A walk over all pages of a query. */
export interface Walk<W extends World> {
  readonly tool: string;
  /** The arguments besides the page size and the cursor. */
  args(world: W): Arguments;
  /** The argument that bounds a page; `limit` unless said otherwise. */
  readonly limit?: string;
  /** The output field that holds the entries. */
  readonly list: string;
  /** What tells one entry from another. */
  key(entry: Record<string, unknown>): string;
  /** The keys of all entries in order; five at least, so that there are pages. */
  expected(world: W): readonly string[];
  /** The arguments of another query, for which this walk's cursors are foreign. */
  other(world: W): Arguments;
}

/** A start that must end with exit code 2 and one line. */
export interface BadStart<W extends World> {
  readonly what: string;
  args(world: W): readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly says: RegExp;
}

/** What the shared suite needs to know of a server. */
export interface ServerContract<W extends World> {
  /** The package.json of the server. */
  readonly manifest: { readonly name: string; readonly version: string };
  /** Absolute path of the built main.js. */
  readonly bin: string;
  /** Absolute path of the golden tools/list. */
  readonly golden: string;
  /** The tools as declared. */
  // biome-ignore lint/suspicious/noExplicitAny: the suite looks at definitions of every shape.
  readonly tools: readonly Tool<any>[];
  arrange(): Promise<W>;
  /** A good call of every tool. */
  readonly calls: Readonly<Record<string, (world: W) => Arguments>>;
  /** A call for every failure code that a tool declares, but for core's own. */
  readonly refusals: readonly Refusal<W>[];
  readonly walks: readonly Walk<W>[];
  readonly badStarts: readonly BadStart<W>[];
}

/** A contract on one Node binary, with what the parts of the suite share. */
export interface Subject<W extends World> extends ServerContract<W> {
  readonly node: NodeBinary;
  start(world: W, more?: readonly string[]): Start;
}

/** A world and a connected server for the tests of a `describe` block. */
export function useServer<W extends World>(subject: Subject<W>, more: readonly string[] = []) {
  const current = {} as { world: W; server: ConnectedServer };
  beforeAll(async () => {
    current.world = await subject.arrange();
    current.server = await connect(subject.start(current.world, more));
  });
  afterAll(async () => {
    await current.server?.close();
    await current.world?.dispose();
  });
  return current;
}

/** Runs a test against a server spoken to in raw lines, on a world of its own. */
export async function withRawServer<W extends World>(
  subject: Subject<W>,
  test: (server: RawServer, world: W) => Promise<void>,
): Promise<void> {
  const world = await subject.arrange();
  const server = startRawServer(subject.start(world));
  try {
    await test(server, world);
  } finally {
    server.kill("SIGKILL");
    await server.exited;
    await world.dispose();
  }
}
