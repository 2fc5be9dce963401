/**
 * The store's schema, step by step; `PRAGMA user_version` says how far a file is. Every index is one more page to
 * write with each file, so there are few.
 *
 * - `app`: its counters move in the transaction that changes its files. `updated_at` never goes back, so that the
 *   order of files_version is the order of time. `feed_floor` is the highest files_version of a deletion that was
 *   forgotten.
 * - `file`: one row for every path that there ever was, so that version numbers are never used twice. `state`: 0
 *   current, 1 deleted and still told of, 2 deleted and forgotten. `files_version` is that of its last change.
 * - `version`: what current versions were before they were replaced or deleted, and the deletions.
 * - `blob`: contents by SHA-256, each once; `refs` counts the rows of `file` (current ones) and `version` that need
 *   it; `data` is NULL for those that lie in a file.
 * - `trash`: contents whose file may be there and is no longer needed.
 * - `upload`, `upload_part`: contents that come in chunks. Every chunk is a `blob`, counted in its `refs`; `bytes` and
 *   `used_at` move with each chunk.
 * - `link`: versions that whoever knows a secret may read once; kept by its hash.
 */
export const schemaSteps: readonly string[] = [
  `
  CREATE TABLE store (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    physical_bytes INTEGER NOT NULL,
    files INTEGER NOT NULL
  );
  INSERT INTO store VALUES (1, 0, 0);

  CREATE TABLE app (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    files_version INTEGER NOT NULL,
    count INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    history_bytes INTEGER NOT NULL,
    feed_floor INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  );

  CREATE TABLE file (
    id INTEGER PRIMARY KEY,
    app INTEGER NOT NULL REFERENCES app (id),
    path TEXT NOT NULL,
    folded TEXT NOT NULL,
    state INTEGER NOT NULL,
    version INTEGER NOT NULL,
    files_version INTEGER NOT NULL,
    size INTEGER NOT NULL,
    mime TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    action TEXT NOT NULL,
    client TEXT NOT NULL
  );
  CREATE UNIQUE INDEX file_folded ON file (app, folded, path);
  CREATE UNIQUE INDEX file_path ON file (app, path) WHERE state = 0;
  CREATE INDEX file_size ON file (app, size, path) WHERE state = 0;
  CREATE INDEX file_change ON file (app, files_version) WHERE state < 2;
  CREATE INDEX file_deleted ON file (updated_at) WHERE state = 1;

  CREATE TABLE version (
    file INTEGER NOT NULL REFERENCES file (id),
    change INTEGER NOT NULL,
    version INTEGER NOT NULL,
    action TEXT NOT NULL,
    size INTEGER NOT NULL,
    mime TEXT NOT NULL,
    sha256 TEXT,
    created_at INTEGER NOT NULL,
    at INTEGER NOT NULL,
    replaced_at INTEGER NOT NULL,
    client TEXT NOT NULL,
    PRIMARY KEY (file, change)
  ) WITHOUT ROWID;
  CREATE INDEX version_replaced ON version (replaced_at);

  CREATE TABLE blob (
    sha256 TEXT PRIMARY KEY,
    size INTEGER NOT NULL,
    refs INTEGER NOT NULL,
    is_text INTEGER NOT NULL,
    newlines INTEGER NOT NULL,
    ends_with_newline INTEGER NOT NULL,
    blocks BLOB NOT NULL,
    data BLOB
  );

  CREATE TABLE trash (sha256 TEXT PRIMARY KEY) WITHOUT ROWID;

  CREATE TABLE receipt (
    command_id TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    receipt TEXT NOT NULL,
    at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX receipt_at ON receipt (at);
  `,
  `
  CREATE TABLE upload (
    id TEXT PRIMARY KEY,
    app TEXT NOT NULL,
    size INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL
  ) WITHOUT ROWID;

  CREATE TABLE upload_part (
    upload TEXT NOT NULL REFERENCES upload (id),
    seq INTEGER NOT NULL,
    size INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    PRIMARY KEY (upload, seq)
  ) WITHOUT ROWID;
  `,
  `
  CREATE TABLE link (
    hash TEXT PRIMARY KEY,
    app TEXT NOT NULL,
    path TEXT NOT NULL,
    version INTEGER NOT NULL,
    "by" TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  `,
];
