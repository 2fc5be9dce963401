/**
 * The tables of an index. All of it is derived from the files: a file of another format is thrown away and made again.
 *
 * What belongs to a document has ids of its own, `document << 16 | number` (`rowOf`), so that the rows of a document lie
 * together, go by a range of ids, and an index over them names the document without another look.
 * Times are milliseconds since 1970; lines count from 1 in the file. No text holds a NUL.
 */
export const schema = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
-- fingerprint: what the index is of, and its format; epoch: tells it from one that is made later;
-- generation: grows with every change of documents; membership: with every change of which documents there are;
-- scan: JSON, ScanState

CREATE TABLE folder (
  path TEXT PRIMARY KEY,           -- vault-relative, as the disk spells it; the root is not in it
  name TEXT NOT NULL               -- the path in NFC
) WITHOUT ROWID;
CREATE INDEX folder_name ON folder (name);

CREATE TABLE document (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  path TEXT NOT NULL,              -- vault-relative, as the disk spells it; each once
  folder TEXT NOT NULL,            -- '' for the root
  kind INTEGER NOT NULL,           -- 0 note, 1 attachment
  filterable INTEGER NOT NULL,     -- 1 for a note whose frontmatter could be read
  modified REAL NOT NULL,
  created REAL NOT NULL,
  size INTEGER NOT NULL,
  title TEXT NOT NULL,             -- as titles are compared; '' for attachments
  changed_in INTEGER NOT NULL,     -- the generation
  first_seen REAL NOT NULL,        -- the earliest time known for the path
  stamp TEXT NOT NULL              -- tells whether the file changed since it was read
);
CREATE INDEX document_path ON document (path, kind);
CREATE INDEX document_folder ON document (folder, path, stamp);
CREATE INDEX document_modified ON document (modified, path, kind);
CREATE INDEX document_created ON document (created, path, kind);
CREATE INDEX document_size ON document (size, path, kind);
CREATE INDEX document_title ON document (title, path, kind);
CREATE INDEX document_changed ON document (changed_in);

CREATE TABLE content (             -- id: the document's
  id INTEGER PRIMARY KEY,
  facts TEXT NOT NULL              -- JSON: StoredFacts
);

CREATE TABLE body (                -- of notes, as the file has it; a long one in several parts
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL
);

CREATE TABLE loose (               -- ids that no document has and rows of those below may: written before or left after
  id INTEGER PRIMARY KEY,
  owner TEXT                       -- who is writing them; NULL where they are to be removed
);

CREATE TABLE okf (                 -- id: the note's; only of filterable notes that differ from the default in something
  id INTEGER PRIMARY KEY,
  status TEXT NOT NULL,            -- 'stable' by default
  trust_tier TEXT NOT NULL,        -- 'unverified' by default
  stale_after TEXT                 -- as written; NULL by default
);

CREATE TABLE gone (                -- documents that went, those of the last changes
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  path TEXT NOT NULL,
  gone_in INTEGER NOT NULL         -- the generation
);
CREATE INDEX gone_in ON gone (gone_in);

CREATE TABLE property (            -- one row for each different value of a key of filterable notes, one for a key without any
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL,               -- in NFC; nested keys with dots
  text TEXT,                       -- as values are compared (propertyText); NULL where the key has no text, number or boolean
  number REAL,                     -- where it is a number by meaning
  place INTEGER NOT NULL,          -- among the values of the key, from 0
  type TEXT NOT NULL,              -- of the key's value: text, number, boolean, list, mapping, null
  shown TEXT                       -- the value as written, where that is not text; NULL otherwise
);
CREATE INDEX property_value ON property (key, text, number, place);

CREATE TABLE tag (
  id INTEGER PRIMARY KEY,
  tag TEXT NOT NULL,               -- as written
  name TEXT NOT NULL               -- folded
);
CREATE INDEX tag_name ON tag (name, tag);

CREATE TABLE alias (
  id INTEGER PRIMARY KEY,
  alias TEXT NOT NULL,
  name TEXT NOT NULL               -- folded and trimmed
);
CREATE INDEX alias_name ON alias (name);

CREATE TABLE heading (id INTEGER PRIMARY KEY, level INTEGER NOT NULL, line INTEGER NOT NULL, text TEXT NOT NULL);

CREATE TABLE block (id INTEGER PRIMARY KEY, line INTEGER NOT NULL, name TEXT NOT NULL);

CREATE TABLE link (                -- of notes and canvases
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  syntax TEXT NOT NULL,
  line INTEGER NOT NULL,
  text TEXT NOT NULL,              -- what a reader sees
  raw TEXT NOT NULL,               -- the target as written
  path TEXT NOT NULL,              -- what of the target is a path; '' for the file itself
  heading TEXT,
  block TEXT,
  key TEXT,                        -- of frontmatter or canvas
  name TEXT NOT NULL,              -- the keys under which the link is looked up (linkKeys): the last name of the path,
  short_name TEXT                  -- and without the extension of a note
);
CREATE INDEX link_name ON link (name);
CREATE INDEX link_short_name ON link (short_name) WHERE short_name IS NOT NULL;

-- rowid: searchRowOf(document, part), with the parts of the body; the first has title, headings and tags too.
-- The columns hold indexedText of searchedTexts; the values of properties follow the first part of the body.
CREATE VIRTUAL TABLE search USING fts5 (title, headings, tags, body, content='', contentless_delete=1, tokenize='ascii');
CREATE VIRTUAL TABLE search_word USING fts5vocab(search, row);
`;

/** Changes whenever the schema or what is read from a note does: older indexes are then made again. */
export const indexFormat = 6;

/** The tables whose rows belong to a document and have ids by `rowOf`: those by which documents are selected… */
export const selectingTables = ["property", "tag", "alias"] as const;

/** …and those that are looked into for a document alone, so that rows without one do no harm. */
export const innerTables = ["heading", "block", "link"] as const;

const rowsOfOne = 65_536;

/** More rows of one kind are not kept of a document. */
export const mostRows = rowsOfOne - 1;

/** The id of a document's row by its number, from 0. */
export function rowOf(document: number, number: number): number {
  return document * rowsOfOne + number;
}

/** In SQL: the body of the document of an id, which is named with its table. */
export const bodyOf = (id: string) => `coalesce((SELECT group_concat(text, '') FROM
  (SELECT text FROM body WHERE body.id BETWEEN ${id} << 16 AND (${id} << 16) + ${mostRows} ORDER BY body.id)), '')`;

const searchRowsOfOne = 2 ** 32;

/**
 * The id of a part of a document's text in the full-text index, which likes ids that lie close: it keeps them as
 * differences, and what is deleted in a table that gets slow where the last bits of ids are the same.
 */
export function searchRowOf(document: number, part: number): number {
  return part * searchRowsOfOne + document;
}

/** In SQL: the document of a row of the full-text index. */
export const documentOfSearchRow = `rowid & ${searchRowsOfOne - 1}`;

/** In SQL: the ids of documents that have more than one row there. */
export const documentsInParts = `SELECT DISTINCT id & ${searchRowsOfOne - 1} AS id FROM search_docsize WHERE id >= ${searchRowsOfOne}`;

/** In SQL: the rows of a document there, by the range of its parts of a body. */
export const searchRowsOf = `SELECT ((id & ${mostRows}) << 32) | (id >> 16) FROM body WHERE id BETWEEN ? AND ? ORDER BY id`;
