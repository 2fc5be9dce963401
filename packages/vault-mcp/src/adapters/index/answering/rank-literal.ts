import { compareBinary } from "../../../domain/fold.ts";
import { mostHits, type SearchScope } from "../../../domain/search/vault-search.ts";
import { foldForSearch } from "../../../domain/search/words.ts";
import { TimeSlice } from "../../time-slice.ts";
import { bodyOf } from "../schema.ts";
import type { IndexConnection } from "./index-snapshot.ts";
import type { Ranked } from "./rank-documents.ts";

/** Bodies that are looked through in one go. */
const batchSize = 200;
const sliceMs = 8;

/** Places of a text beyond so many tell no more. */
const mostPlaces = 100;

/** The notes whose title or body has a text as it stands, case and accents aside: those with most places first. */
export async function rankLiteral(
  connection: IndexConnection,
  scope: SearchScope,
  text: string,
  signal: AbortSignal,
): Promise<{ hits: Ranked[]; beyond: boolean; stage: "literal" }> {
  const wanted = foldForSearch(text);
  const slice = new TimeSlice(sliceMs);
  const found: (Ranked & { readonly path: string })[] = [];
  const allowed = await connection.read((snapshot) =>
    snapshot.select({ ...scope, includeAttachments: false }),
  );
  const ids = Array.from(allowed.keys()).filter((id) => allowed[id] === 1);
  for (let at = 0; at < ids.length; at += batchSize) {
    const batch = ids.slice(at, at + batchSize);
    const rows = await connection.read(({ reader }) =>
      reader.all<{ id: number; path: string; title: string; body: string; properties: string }>(
        `SELECT content.id AS id, document.path AS path, document.title AS title, ${bodyOf("content.id")} AS body,
           coalesce(content.facts -> 'frontmatter', '') AS properties
         FROM content JOIN document ON document.id = content.id
         WHERE content.id BETWEEN ? AND ?`,
        [batch[0], batch.at(-1)],
      ),
    );
    for (const { id, path, title, body, properties } of rows) {
      if (allowed[id] !== 1) continue;
      const inTitle = foldForSearch(title).includes(wanted) ? mostPlaces : 0;
      // Properties as JSON: near enough to what is written there.
      const inProperties = foldForSearch(properties).includes(wanted) ? 1 : 0;
      const score = countPlaces(foldForSearch(body), wanted) + inTitle + inProperties;
      if (score > 0) found.push({ id, path, score });
      await slice.turn(signal);
    }
    signal.throwIfAborted();
  }
  found.sort((a, b) => b.score - a.score || compareBinary(a.path, b.path));
  return { hits: found.slice(0, mostHits), beyond: found.length > mostHits, stage: "literal" };
}

function countPlaces(text: string, wanted: string): number {
  let count = 0;
  for (
    let at = text.indexOf(wanted);
    at >= 0 && count < mostPlaces;
    at = text.indexOf(wanted, at + wanted.length)
  ) {
    count += 1;
  }
  return count;
}
