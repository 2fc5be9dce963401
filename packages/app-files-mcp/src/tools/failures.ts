import { type CoreFailureDetails, coreFailures, type FailureTexts, quote } from "@mcp-file-servers/core";
import type { FailureDetails, LimitName, StoreProblem } from "../domain/errors.ts";
import { changedWhileRead, type LocalProblem } from "../domain/local-files.ts";

const collisions = {
  case: "differs from it in upper and lower case alone",
  "inside-file": "is a file, and no folder",
  "is-folder": "lies in a folder of that name",
} as const;

const limitTexts: Readonly<Record<LimitName, string>> = {
  file_bytes: "the file would have",
  app_bytes: "the app's files would have",
  app_files: "the app would have",
  store_bytes: "the store would hold",
  store_files: "all apps together would have",
};

const storeProblems: Readonly<Record<StoreProblem, { readonly message: string; readonly next: string }>> = {
  busy: {
    message: "other processes kept it locked for 30 s",
    next: "Try again in a moment.",
  },
  full: {
    message: "the disk is full",
    next: "Try again once there is room on the disk that holds the --data directory.",
  },
  denied: {
    message: "its files may not be read or written",
    next: "Let this server's user read and write the --data directory, or start it with another --data.",
  },
  damaged: {
    message: "its files are damaged or missing",
    next: "Restore the --data directory from a backup, or start the server with another --data.",
  },
  newer: {
    message: "a newer version of this server has written it",
    next: "Start the newest version of app-files-mcp on this --data directory.",
  },
  "no-engine": {
    message: "no SQLite engine works here",
    next: "Start the server on Node 22.13 or newer, or with npx -y -p libsql@0.5 -p app-files-mcp app-files-mcp.",
  },
  io: {
    message: "the disk failed",
    next: "Try again, then look at the server's log on stderr and at the disk that holds the --data directory.",
  },
};

const localProblems: Readonly<Record<LocalProblem, string>> = {
  outside: "lies outside the --root directories, perhaps by a link in it",
  "own-file": "is one of this server's own files",
  "not-file": "is no plain file",
  link: "is a symbolic link, or has one in it, that is not followed",
  malformed: "is no path",
};

function nearestText(nearest: readonly string[]): string {
  return nearest.length === 0 ? "" : `; the nearest are ${nearest.map(quote).join(", ")}`;
}

/** Whether there are files below a path: then the nearest are those. */
function isFolder(path: string, nearest: readonly string[]): boolean {
  return nearest.some((each) => each.startsWith(`${path}/`));
}

/** An app's name that somebody may have meant; undefined where nothing is left of it. */
function nameLike(app: string): string | undefined {
  const name = app
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .slice(0, 32)
    .replace(/-+$/, "");
  return name === "" ? undefined : name;
}

function currentText(current: FailureDetails["VERSION_CONFLICT"]["current"]): string {
  if (current === undefined) return "it does not exist";
  const { version, size, sha256 } = current;
  return `it has version ${version} (${size} bytes, sha256 ${sha256})`;
}

/** What callers read of every failure of this server. */
export const failures = {
  ...coreFailures,

  INVALID_APP: {
    message: ({ argument, app, problem }) => `${argument}: ${quote(app)} ${problem}`,
    next: ({ argument, app }) =>
      `Call again with ${argument} as a name such as ${nameLike(app) ?? "notes or team-files"}.`,
  },
  APP_NOT_ALLOWED: {
    message: ({ argument, app, allowed }) =>
      `${argument}: ${quote(app)} is not served here; --allow-app has ${allowed.join(", ")}`,
    next: () => "Call again with an app that --allow-app names.",
  },
  INVALID_PATH: {
    message: ({ argument, path, problem }) => `${argument}: ${quote(path)} ${problem}`,
    next: ({ argument }) => `Call again with ${argument} as a relative path such as reports/july.pdf.`,
  },
  PATH_COLLISION: {
    message: ({ path, other, kind }) =>
      `path: ${quote(path)} cannot exist beside ${quote(other)}, which ${collisions[kind]}`,
    next: () => "Call again with the path that exists, or with another path.",
  },
  NOT_FOUND: {
    message: ({ app, path, nearest, deletedVersion, asked }) => {
      if (asked !== undefined) {
        return `version: ${quote(path)} has no version ${asked.version} yet; its last is ${asked.latest}`;
      }
      const deleted = deletedVersion === undefined ? "" : `; it was deleted at version ${deletedVersion}`;
      if (isFolder(path, nearest)) {
        return `path: ${quote(path)} is a folder in app ${quote(app)}, no file${deleted}; in it is ${quote(nearest[0] ?? "")}`;
      }
      return `path: app ${quote(app)} has no file ${quote(path)}${deleted}${nearestText(nearest)}`;
    },
    next: ({ path, nearest, deletedVersion, asked }) => {
      if (asked !== undefined) return `Call file_read again with version ${asked.latest} or without version.`;
      if (deletedVersion !== undefined) {
        return `Call file_read with version ${deletedVersion} to read it as it was, or file_restore to bring it back.`;
      }
      return isFolder(path, nearest)
        ? `Call file_list with prefix ${quote(`${path}/`)} to see its files; deleting and restoring take a prefix too.`
        : "Call file_list to see what is there.";
    },
  },
  VERSION_GONE: {
    message: ({ path, version, oldest }) =>
      `version: version ${version} of ${quote(path)} is no longer kept${oldest === undefined ? "" : `; the oldest kept is ${oldest}`}`,
    next: ({ oldest, current }) => {
      if (current === undefined && oldest === undefined)
        return "Call file_list to see which files there are.";
      if (oldest === undefined || oldest === current) return "Call file_read again without version.";
      return `Call file_read again with version ${oldest} or later${current === undefined ? "" : ", or without version"}.`;
    },
  },
  VERSION_CONFLICT: {
    message: ({ path, expected, current }) =>
      `expected_version: ${quote(path)} was expected ${expected === 0 ? "not to exist" : `to have version ${expected}`}, but ${currentText(current)}; nothing was changed`,
    next: ({ current }) =>
      current === undefined
        ? "Call again with expected_version 0 to create it, or file_list to see what is there."
        : `Call file_read to see what is there now, then call again with expected_version ${current.version}.`,
  },
  FILE_EXISTS: {
    message: ({ argument, path, current }) =>
      `${argument}: ${quote(path)} exists, ${currentText(current)}; nothing was changed`,
    next: ({ argument }) => `Call again with another ${argument}, or with overwrite true to replace it.`,
  },
  COUNT_CONFLICT: {
    message: ({ prefix, expected, actual }) =>
      `expected_count: ${expected} files were expected to start with ${quote(prefix)}, but there are ${actual}; nothing was deleted`,
    next: ({ actual }) =>
      `Call file_delete with dry_run true to see which they are, then with expected_count ${actual}.`,
  },
  TOO_MANY_FILES: {
    message: ({ prefix, count, limit }) =>
      `prefix: ${count} files or more would change below ${quote(prefix)}, ${limit} at once are allowed; nothing was changed`,
    next: () => "Call again with a longer prefix, once for each part.",
  },
  NOT_DELETED: {
    message: ({ path, version }) =>
      `version: is missing, and ${quote(path)} is not deleted but has version ${version}`,
    next: () => "Call file_history to see its versions, then file_restore with one of them.",
  },
  HISTORY_EXPIRED: {
    message: ({ path, asOf, oldest }) =>
      `as_of: what ${quote(path)} was at ${asOf} is no longer kept; all is known from ${oldest} on; nothing was changed`,
    next: ({ oldest }) => `Call again with as_of ${oldest} or later, or with a prefix without that path.`,
  },
  EDIT_NOT_FOUND: {
    message: ({ path, edit, nearLine, hint }) =>
      `edits[${edit}].old_text: is not in ${quote(path)}${nearLine === undefined ? "" : `; line ${nearLine} is the nearest`}${hint === undefined ? "" : `, ${hint}`}; nothing was changed`,
    next: ({ nearLine }) =>
      nearLine === undefined
        ? "Call file_read to see the text as it is, then file_edit with old_text copied from it."
        : `Call file_read with start_line ${nearLine}, then file_edit with old_text copied from it.`,
  },
  EDIT_AMBIGUOUS: {
    message: ({ path, edit, count, lines }) =>
      `edits[${edit}].old_text: is ${count} times in ${quote(path)}, on lines ${lines.join(", ")}${lines.length < count ? " and more" : ""}; nothing was changed`,
    next: () => "Call again with more text around it in old_text, or with replace_all true.",
  },
  EDITS_OVERLAP: {
    message: ({ path, edits: [first, second] }) =>
      `edits[${second}].old_text: takes in text of ${quote(path)} that edits[${first}] replaces too; nothing was changed`,
    next: () => "Call again with the two as one edit.",
  },
  SHA256_MISMATCH: {
    message: ({ expected, actual, size }) =>
      `expected_sha256: the ${size} bytes that arrived have ${actual}, not ${quote(expected)}; nothing was written`,
    next: () => "Try again with the whole content, or with the expected_sha256 of the bytes that are sent.",
  },
  INVALID_BASE64: {
    message: ({ problem }) => `data_base64: ${problem}; nothing was written`,
    next: () => "Call again with standard base64; for a text file file_write takes text.",
  },
  LIMIT_EXCEEDED: {
    message: ({ limit, allowed, wanted }) => {
      const unit = limit.endsWith("bytes") ? "bytes" : "files";
      return `${limitTexts[limit]} ${wanted} ${unit}, ${limit} allows ${allowed}; nothing was written`;
    },
    next: ({ limit }) => `Store less, or start the server with a larger ${limit} in --limits.`,
  },
  COMMAND_ID_REUSED: {
    message: ({ commandId }) =>
      `command_id: ${quote(commandId)} was used for another call; nothing was written`,
    next: () => "Call again with a new command_id.",
  },
  CHANGES_EXPIRED: {
    message: ({ since, oldest }) =>
      `changed_since: deletions after ${since} are no longer all known; the oldest usable files_version is ${oldest}`,
    next: () => "Call file_list without changed_since and go on from its files_version.",
  },
  PATTERN_TOO_COSTLY: {
    message: ({ pattern, limit }) => `pattern: ${quote(pattern)} is over the limit of ${limit}`,
    next: () => "Call again with a simpler pattern, or with prefix.",
  },
  NOT_TEXT: {
    message: ({ path, mime }) => `path: ${quote(path)} is not UTF-8 text but ${mime}`,
    next: () => "Call file_read with as base64 or auto and without start_line and end_line.",
  },
  CORRUPT: {
    message: ({ path, version }) =>
      `path: the stored bytes of ${quote(path)}, version ${version}, are damaged, so none of them are given`,
    next: () => "Store the file again with file_write, or call file_read with an older version.",
  },
  UPLOAD_NOT_FOUND: {
    message: ({ uploadId }) =>
      `upload_id: there is no upload ${quote(uploadId)}; it was committed, discarded, or idle for 24 hours`,
    next: () => "Call file_list to see whether the file is there, else file_write_begin with app and size.",
  },
  TOO_MANY_UPLOADS: {
    message: ({ app, open }) => `app: ${quote(app)} has ${open} open uploads, all used within the last hour`,
    next: () =>
      "Try again after a file_write_commit, or after file_write_begin with discard on an upload_id that is not needed.",
  },
  CHUNK_CONFLICT: {
    message: ({ seq, size, sha256 }) =>
      `seq: chunk ${seq} is there with other bytes (${size} bytes, sha256 ${sha256}); nothing was changed`,
    next: () =>
      "Call file_write_chunk with the seq that these bytes belong to; to start over, discard the upload by file_write_begin.",
  },
  UPLOAD_TOO_LARGE: {
    message: ({ bytes, size }) =>
      `data_base64: the chunks would have ${bytes} bytes, but file_write_begin announced ${size}; this one was not stored`,
    next: () =>
      "Call file_write_begin with the size that the whole file has, and send its chunks to the new upload_id.",
  },
  UPLOAD_INCOMPLETE: {
    message: ({ missing, received, size }) => {
      const chunks = missing.length === 0 ? "" : `; chunk ${missing.join(", ")} is missing or damaged`;
      return `size: the upload has ${received} bytes, not ${size}${chunks}; nothing was written, the upload stays`;
    },
    next: ({ missing }) =>
      missing.length === 0
        ? "Call file_write_commit again with the size that the chunks have in all, or send those that are missing."
        : `Call file_write_chunk with seq ${missing[0]}, then file_write_commit again.`,
  },
  LOCAL_PATH_REFUSED: {
    message: ({ path, problem }) => `local_path: ${quote(path)} ${localProblems[problem]}`,
    next: ({ roots }) =>
      roots.length === 0
        ? "Call again with local_path as a plain file below a --root directory."
        : `Call again with local_path below ${roots.map(quote).join(" or ")}.`,
  },
  LOCAL_NOT_FOUND: {
    message: ({ path }) => `local_path: ${quote(path)} is not there`,
    next: () => "Call again with local_path as the path of a file on the disk of this server.",
  },
  LOCAL_EXISTS: {
    message: ({ path }) => `local_path: ${quote(path)} exists on the disk; nothing was written`,
    next: () => "Call again with another local_path, or with overwrite true where that is offered.",
  },
  LOCAL_UNAVAILABLE: {
    message: ({ path, reason }) =>
      `local_path: ${quote(path)} cannot be used (${reason}); nothing was stored`,
    next: ({ reason }) =>
      reason === changedWhileRead
        ? "Try again with the same local_path once nothing writes to it."
        : "Call again with a local_path that this server's user may use and whose disk has room.",
  },
  RESOURCE_TOO_LARGE: {
    message: ({ path, size, limit }) =>
      `${quote(path)} has ${size} bytes; as a resource ${limit} at most are given`,
    next: () => "Call file_read to read it in windows.",
  },
  STORE_UNAVAILABLE: {
    message: ({ problem }) => `the store cannot be used: ${storeProblems[problem].message}`,
    next: ({ problem }) => storeProblems[problem].next,
  },
} satisfies FailureTexts<FailureDetails & CoreFailureDetails>;
