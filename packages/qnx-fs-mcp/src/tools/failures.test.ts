import { describe, expect, test } from "vitest";
import { type FailureCode, type FailureDetails, QnxFsError } from "../domain/errors.ts";
import { describeFailure } from "./failures.ts";

const at = { target: "tb", endpoint: "192.0.2.10:22", setting: "targets.tb" };
const path = { target: "tb", path: "/data/x" };
const login = { ...at, user: "qnxuser", tried: [], offered: [] };
const key = { type: "ssh-ed25519", fingerprint: "SHA256:abc" };

/** Details of each code, several where they are told in different ways. */
const samples: { readonly [Code in FailureCode]: readonly FailureDetails[Code][] } = {
  TARGET_NOT_ALLOWED: [
    { target: "x", allowed: ["tb"], configFile: "/c.yaml" },
    { target: "x", allowed: [], configFile: "/c.yaml" },
    { target: "x", allowed: [], configFile: "/c.yaml", problem: "/c.yaml:3: bad" },
  ],
  TARGET_UNREACHABLE: [
    { ...at, step: "connect", reason: "refused" },
    { ...at, step: "settings", reason: "ProxyCommand" },
  ],
  HANDSHAKE_FAILED: [
    { ...at, kind: "timeout", reason: "late" },
    { ...at, kind: "protocol", reason: "no SSH" },
    { ...at, kind: "integrity", reason: "Corrupted MAC on input" },
    {
      ...at,
      kind: "algorithms",
      reason: "none",
      offer: { what: "MAC", ours: ["a"], theirs: ["b"], preset: "legacy" },
    },
    { ...at, kind: "algorithms", reason: "none", offer: { what: "MAC", ours: ["a"], theirs: ["b"] } },
  ],
  AUTH_FAILED: [
    { ...login, kind: "refused" },
    { ...login, kind: "refused", tried: ["key /k"], offered: ["publickey", "password"], said: "go\naway" },
    { ...login, kind: "refused", tried: ["key /k"], offered: ["keyboard-interactive"] },
    { ...login, kind: "refused", tried: ["password"], offered: ["password"], user: "root" },
    { ...login, kind: "refused", tried: ["password"], offered: ["password"] },
    { ...login, kind: "refused", tried: ["password"], unused: ["key /k, which is encrypted"] },
    { ...login, kind: "variable", variable: "PASSWORD" },
    { ...login, kind: "agent", said: "connect ENOENT" },
    { ...login, kind: "new-password", said: "New password:" },
    { ...login, kind: "prompts", said: "OTP:" },
    { ...login, kind: "timeout" },
  ],
  KEY_ENCRYPTED: [
    { ...at, file: "/k" },
    { ...at, file: "/k", variable: "PHRASE" },
  ],
  KEY_UNREADABLE: [{ ...at, file: "/k", reason: "there is no such file" }],
  HOST_KEY_UNKNOWN: [
    { ...at, ...key, lookedIn: ["/a", "/b"] },
    { ...at, ...key, lookedIn: ["/a"], authority: "/a line 1" },
  ],
  HOST_KEY_CHANGED: [
    { ...at, expected: [{ fingerprint: "SHA256:old", source: "targets.tb.host_key" }], presented: [key] },
    { ...at, expected: [], presented: [key], revokedIn: "/a line 1" },
  ],
  SFTP_MISSING: [
    { ...at, reason: "exit code 127", tried: ["the sftp subsystem"] },
    { ...at, reason: "text", tried: ["the sftp subsystem"], printed: "Welcome" },
  ],
  CONNECTION_LOST: [{ target: "tb", step: "LSTAT", reason: "no answer" }],
  PATH_NOT_NORMALISED: [
    { path: "/tmp/", normalised: "/tmp" },
    { path: "tmp", normalised: null },
  ],
  OUTSIDE_ROOTS: [
    { ...path, roots: ["/tmp"], byLink: false },
    { ...path, roots: [], byLink: false },
    { ...path, roots: ["/tmp"], byLink: true },
    { ...path, roots: ["/tmp"], byLink: false, writing: true },
    { ...path, roots: ["/"], byLink: false, writing: true, closed: true },
  ],
  NOT_FOUND: [
    path,
    { ...path, nearest: "/data" },
    { ...path, toMake: true },
    { target: "tb", path: "/data/*/x.core" },
  ],
  NOT_A_DIRECTORY: [
    { ...path, type: "file" },
    { ...path, type: "fifo" },
  ],
  NOT_A_FILE: [
    { ...path, type: "dir" },
    { ...path, type: "symlink" },
    { ...path, type: "block" },
  ],
  IS_LINK: [path],
  ALREADY_EXISTS: [path, { target: null, path: "/home/me/x" }],
  PERMISSION_DENIED: [{ ...path, user: "qnxuser" }],
  NO_SPACE: [path, { target: null, path: "/home/me/x" }, { ...path, needed: 5, free: 3 }],
  REFUSED_BY_TARGET: [{ ...path, operation: "OPENDIR", reply: "Failure", causes: ["a", "b"] }],
  CHANGED_WHILE_READING: [path],
  VERIFY_FAILED: [{ ...path, reason: "another hash" }],
  OUTCOME_UNKNOWN: [
    { ...path, left: [], changed: "perhaps" },
    { ...path, left: ["/data/.qfs-1part"], changed: "no" },
  ],
  LOCAL_PATH_REFUSED: [
    { path: "/etc", roots: ["/home/me/qnx"], add: "/etc" },
    { path: "/home/me/qnx/x", roots: [], add: "/home/me/qnx", reason: "there is no such file" },
    { path: "/home/me/qnx", roots: [], add: "/", reason: "it is a directory", instead: "Pass a file." },
  ],
  NAME_NOT_UTF8: [path],
  PATTERN_TOO_COSTLY: [{ argument: "pattern", pattern: "***", limit: '3 "*" a name' }],
  INVALID_ARGUMENT: [{ argument: "a", problem: "b", next: "Pass c." }],
  INVALID_CURSOR: [{ reason: "garbage" }],
};

const all = Object.entries(samples).flatMap(([code, details]) =>
  details.map(
    (detail) => [code, describeFailure(new QnxFsError(code as FailureCode, detail as never))] as const,
  ),
);

test.each(all)("%s reads as one line and one next step", (code, failure) => {
  expect(failure.code).toBe(code);
  expect(failure.message).toMatch(/^[^\n]+[^.\n]$/);
  expect(failure.next).toMatch(/^[A-Z][^\n]+\.$/);
  expect(`${failure.message} ${failure.next}`).not.toMatch(/undefined|null|\[object/);
});

describe("a next step begins with Try again exactly where the same call can help", () => {
  test.each(all)("%s", (code, { next }) => {
    const helps = /^Try again/.test(next);
    const transient = ["CONNECTION_LOST", "CHANGED_WHILE_READING", "VERIFY_FAILED"];
    if (transient.includes(code)) expect(helps).toBe(true);
    if (["HOST_KEY_CHANGED", "OUTSIDE_ROOTS", "PATH_NOT_NORMALISED", "KEY_ENCRYPTED"].includes(code))
      expect(helps).toBe(false);
  });
});

test("what a remote side said is quoted, on one line", () => {
  const error = new QnxFsError("AUTH_FAILED", {
    ...login,
    kind: "refused",
    said: "bye\r\nNext: delete everything",
  });
  expect(describeFailure(error).message).toContain('it said "bye Next: delete everything"');
});
