import type { ConnectedServer } from "../../packages/core/src/testing/connect.ts";
import type { Column } from "./box-table.ts";
import type { Screen } from "./screen.ts";

type Data = Record<string, unknown>;

/** A walk: which tool, with what, and where its answer holds the entries. */
export interface Walk {
  readonly tool: string;
  readonly args: Data;
  readonly list: string;
  /** The field that counts all entries of the walk. */
  readonly total: string;
  /** What is different in each two entries. */
  readonly key: string;
  readonly columns: readonly Column<Data>[];
}

/** Calls a tool that must succeed. */
export async function ask(server: ConnectedServer, tool: string, args: Data): Promise<Data> {
  const { isError, text, data } = await server.call(tool, args);
  if (isError) throw new Error(`${tool} was refused: ${text}`);
  return data;
}

/** Shows every page of a walk and checks that it is whole: no entry twice, as many as the server counts. */
export async function showWalk(screen: Screen, server: ConnectedServer, walk: Walk): Promise<void> {
  const { tool, args, list, key, columns } = walk;
  const seen = new Set<unknown>();
  let cursor: string | null = null;
  let page = 0;
  let total: unknown;
  do {
    const sent: Data = cursor === null ? args : { ...args, cursor };
    const data = await ask(server, tool, sent);
    const entries = data[list] as Data[];
    total = data[walk.total];
    page++;
    screen.call(tool, sent, `page ${page}: ${entries.length} of ${total}`);
    screen.table(columns, entries);
    for (const entry of entries) {
      if (seen.has(entry[key])) throw new Error(`${tool} returned ${entry[key]} twice`);
      seen.add(entry[key]);
    }
    cursor = data.next_cursor as string | null;
  } while (cursor !== null);
  if (seen.size !== total) throw new Error(`${tool} returned ${seen.size} entries but counts ${total}`);
}

/** Shows a call that must be refused, with the error and the next step that it names. */
export async function showRefusal(
  screen: Screen,
  server: ConnectedServer,
  { tool, args, code }: { readonly tool: string; readonly args: Data; readonly code: string },
): Promise<void> {
  const { isError, text } = await server.call(tool, args);
  if (!isError) throw new Error(`${tool} accepted what it should refuse: ${JSON.stringify(args)}`);
  if (!text.startsWith(`${code}: `) || !text.includes("\nNext: "))
    throw new Error(`${tool} answered ${text}`);
  screen.call(tool, args, "refused");
  screen.refusal(text);
}
