import { type CoreFailureDetails, coreFailures, type FailureTexts, quote } from "@mcp-file-servers/core";
import type {
  FailureCode,
  FailureDetails,
  HandshakeProblem,
  HostKeyNote,
  LoginProblem,
  QnxFsError,
} from "../domain/errors.ts";
import { nearestName } from "../domain/nearest-name.ts";

/** The texts of every failure. */
export const failures = {
  ...coreFailures,
  TIMED_OUT: {
    ...coreFailures.TIMED_OUT,
    next: () =>
      "Try again with less of it, or where the tool has them with a longer timeout_s, and resume: true in file_get.",
  },
  TARGET_NOT_ALLOWED: {
    message: ({ target, allowed, problem }) =>
      problem === undefined
        ? `target: ${quote(target)} is not an allowed target; allowed: ${someOf(allowed)}`
        : `target: no target is allowed, as the configuration cannot be read any more: ${problem}`,
    next: ({ target, allowed, configFile, problem }) => {
      if (problem !== undefined) return "Try again when the configuration file is corrected.";
      const meant = nearestName(target, allowed);
      if (meant !== undefined) return `Pass ${quote(meant)} as target, if that is meant.`;
      return allowed.length > 0
        ? `Pass one of these names as target; others are added in ${configFile} and by --allow.`
        : `Call target_list, which tells how to describe targets in ${configFile}.`;
    },
  },
  TARGET_UNREACHABLE: {
    message: ({ target, endpoint, reason }) =>
      `target: ${quote(target)} cannot be reached at ${endpoint}: ${quote(reason)}`,
    next: ({ target, step, setting }) =>
      step === "settings"
        ? `Have ${setting} corrected in the configuration file.`
        : `Try again when it is up and on the network, or have host, port and jump under ${setting} checked; qnx-fs-mcp check ${target} in a terminal goes through them.`,
  },
  HANDSHAKE_FAILED: {
    message: ({ target, endpoint, ...problem }) =>
      `target: the SSH handshake with ${quote(target)} at ${endpoint} failed: ${handshakeReason(problem)}`,
    next: ({ setting, ...problem }) => handshakeRemedy(problem, setting),
  },
  AUTH_FAILED: {
    message: ({ target, endpoint, ...problem }) =>
      `target: the login to ${quote(target)} at ${endpoint} as ${quote(problem.user)} failed: ${loginReason(problem)}`,
    next: ({ setting, ...problem }) => loginRemedy(problem, setting),
  },
  KEY_ENCRYPTED: {
    message: ({ target, file, variable }) =>
      variable === undefined
        ? `target: the key ${quote(file)} for ${quote(target)} is encrypted, and no passphrase is configured`
        : `target: the passphrase in ${variable} does not open the key ${quote(file)} for ${quote(target)}`,
    next: ({ setting, variable }) =>
      variable === undefined
        ? `Have passphrase_env: NAME set under ${setting} in the configuration file and ${envBlock("NAME")}, or use agent: true.`
        : `Have the right passphrase put into ${variable}.`,
  },
  KEY_UNREADABLE: {
    message: ({ target, file, reason }) =>
      `target: the key ${quote(file)} for ${quote(target)} cannot be used: ${quote(reason)}`,
    next: ({ setting }) =>
      `Have identity_file under ${setting} in the configuration file name a readable private key.`,
  },
  HOST_KEY_UNKNOWN: {
    message: ({ target, endpoint, type, fingerprint, lookedIn, authority }) =>
      `target: the host key of ${quote(target)} at ${endpoint} is not known: ${type} ${fingerprint}; looked in ${lookedIn.join(", ")}${
        authority === undefined
          ? ""
          : `; ${authority} names a certificate authority for it, which is not supported`
      }`,
    next: ({ target, fingerprint, setting }) =>
      `Compare it with ssh-keygen -lf /data/var/ssh/ssh_host_ed25519_key.pub on the target's console, then have ${trustCommand(target, setting)} run in a terminal, or host_key: "${fingerprint}" set under ${setting} in the configuration file.`,
  },
  HOST_KEY_CHANGED: {
    message: ({ target, endpoint, expected, presented, revokedIn }) =>
      revokedIn === undefined
        ? `target: ${quote(target)} at ${endpoint} shows another host key than the known one: known is ${listKeys(expected)}; shown is ${listKeys(presented)}`
        : `target: the host key ${listKeys(presented)} of ${quote(target)} at ${endpoint} is marked as revoked in ${revokedIn}`,
    next: ({ target, setting, expected, revokedIn }) =>
      revokedIn === undefined
        ? `Find out why before anything else: a rebuilt image makes new host keys, an attacker shows one too; once it is explained, have ${trustCommand(target, setting)} run in a terminal${pinned(expected) ? `, and the old host_key taken out of ${setting} in the configuration file` : ""}.`
        : "Have the target given a new host key.",
  },
  SFTP_MISSING: {
    message: ({ target, reason, printed }) =>
      printed === undefined
        ? `target: ${quote(target)} takes logins, but has no working SFTP server: ${quote(reason)}`
        : `target: ${quote(target)} prints text at login, where SFTP packets are due: ${quote(printed)}`,
    next: ({ setting, printed }) =>
      printed !== undefined
        ? "Have what prints it (/etc/profile, .profile, .kshrc or .bashrc on the target) do so in interactive shells alone, or use Subsystem sftp internal-sftp in sshd_config, which runs no shell; `ssh HOST true` must print nothing."
        : `Have sftp_server under ${setting} in the configuration file name its program (/usr/libexec/sftp-server, /system/bin/sftp-server and /proc/boot/sftp-server are usual), or have it added to the image with a line "Subsystem sftp PATH" in sshd_config.`,
  },
  CONNECTION_LOST: {
    message: ({ target, step, reason }) =>
      `target: the connection to ${quote(target)} was lost during ${step}: ${quote(reason)}`,
    next: () =>
      "Try again: it is opened anew; if that fails too, check whether the target restarts or hangs.",
  },
  PATH_NOT_NORMALISED: {
    message: ({ path, normalised }) =>
      normalised === null
        ? `path: ${quote(path)} is not an absolute path on the target`
        : `path: ${quote(path)} is not in normal form`,
    next: ({ normalised }) =>
      normalised === null
        ? "Pass an absolute path such as /data/var; relative paths and ~ mean nothing to SFTP."
        : `Pass ${quote(normalised)} in its place.`,
  },
  OUTSIDE_ROOTS: {
    message: ({ target, path, roots, byLink, writing, closed }) => {
      const kind = writing ? "write root" : "root";
      if (closed && !byLink) return `path: ${quote(path)} lies in /proc or /dev, where nothing is changed`;
      if (roots.length === 0)
        return `path: target ${quote(target)} has no ${kind}s, so not ${quote(path)} either`;
      return byLink
        ? `path: ${quote(path)} lies below a ${kind} of target ${quote(target)}, but a link leads from there out of ${roots.join(", ")}`
        : `path: ${quote(path)} lies outside the ${kind}s of target ${quote(target)}: ${roots.join(", ")}`;
    },
    next: ({ target, roots, writing, closed }) =>
      closed
        ? "Pass a path elsewhere: what is in /proc/boot comes with the image, and devices are not written to."
        : roots.length === 0
          ? `Have ${writing ? "write_roots" : "read_roots"} under targets.${target} name directories in the configuration file.`
          : `Pass a path below these roots, or have ${writing ? "write_roots" : "read_roots"} under targets.${target} widened in the configuration file.`,
  },
  NOT_FOUND: {
    message: ({ target, path }) => `path: there is no ${quote(path)} on target ${quote(target)}`,
    next: ({ path, nearest, toMake }) => {
      const glob = globIn(path);
      if (toMake) return `Call dir_create with path ${quote(path)} and parents: true first.`;
      if (glob !== undefined)
        return `Call file_find with path ${quote(glob.directory)} and pattern ${quote(glob.pattern)}: paths hold no patterns.`;
      return nearest === undefined
        ? "Call target_list for the roots that may be used, and file_find to look for it below one of them."
        : `Call file_list with path ${quote(nearest)}, which is there, to see what it holds.`;
    },
  },
  NOT_A_DIRECTORY: {
    message: ({ target, path, type }) =>
      `path: ${quote(path)} on target ${quote(target)} is no directory but of type ${type}`,
    next: ({ path, type }) =>
      type === "file"
        ? `Call file_read with path ${quote(path)} to look into it, or pass the directory ${quote(parentOf(path))}.`
        : `Call file_stat with paths [${quote(path)}] to see what it is.`,
  },
  NOT_A_FILE: {
    message: ({ target, path, type }) =>
      `path: ${quote(path)} on target ${quote(target)} is no file but of type ${type}`,
    next: ({ path, type }) =>
      type === "dir"
        ? "Pass the path of a file in it, as file_list shows them, or copy it whole by file_get or file_put with recursive: true."
        : type === "symlink"
          ? `Call file_stat with paths [${quote(path)}] to see where it leads, and pass that path.`
          : "Pass the path of a regular file: what is of this type is neither opened nor replaced.",
  },
  IS_LINK: {
    message: ({ target, path }) =>
      `path: ${quote(path)} on target ${quote(target)} is a link, which is not followed`,
    next: ({ path }) =>
      `Call file_stat with paths [${quote(path)}] to see where it leads, and pass that path.`,
  },
  ALREADY_EXISTS: {
    message: ({ target, path }) =>
      target === null
        ? `local_path: there is already a ${quote(path)} on this host`
        : `path: there is already a ${quote(path)} on target ${quote(target)}`,
    next: ({ target }) =>
      `Pass another ${target === null ? "local_path" : "path"}, or overwrite: true if this tool has it and a file is to be replaced.`,
  },
  PERMISSION_DENIED: {
    message: ({ target, path, user }) =>
      `path: target ${quote(target)} does not let user ${quote(user)} get at ${quote(path)}`,
    next: ({ target }) =>
      `Pass a path that this user may use so, or have another user set under targets.${target} in the configuration file.`,
  },
  NO_SPACE: {
    message: ({ target, path, needed, free }) => {
      const numbers =
        needed === undefined || free === undefined ? "" : `: ${needed} bytes do not fit into ${free}`;
      return target === null
        ? `local_path: there is no space left on this host for ${quote(path)}${numbers}`
        : `path: there is no space left on target ${quote(target)} for ${quote(path)}${numbers}`;
    },
    next: ({ target }) =>
      `Make room on the ${target === null ? "host" : "target"}, or pass a path on another file system.`,
  },
  REFUSED_BY_TARGET: {
    message: ({ target, path, operation, reply, causes }) =>
      `path: target ${quote(target)} answered ${operation} of ${quote(path)} with ${quote(reply)} and no reason; likely: ${causes.join(", or ")}`,
    next: ({ path, causes }) =>
      causes.length === 1
        ? "Pass another path, or have that put right on the target."
        : `Call file_stat with paths [${quote(path)}] to see what is there.`,
  },
  CHANGED_WHILE_READING: {
    message: ({ target, path }) =>
      `path: ${quote(path)} on target ${quote(target)} changed while it was read`,
    next: () =>
      "Try again when nothing writes to it, or take the first part of what grows by file_get with allow_growing: true.",
  },
  VERIFY_FAILED: {
    message: ({ target, path, reason }) =>
      `path: the copy of ${quote(path)} on target ${quote(target)} did not stand the test: ${reason}`,
    next: () => "Try again; if it fails the same way, check the file system of the target.",
  },
  OUTCOME_UNKNOWN: {
    message: ({ target, path, left, changed }) =>
      `path: the connection to target ${quote(target)} was lost; ${
        changed === "no"
          ? `${quote(path)} was not changed`
          : `whether ${quote(path)} was changed is not known`
      }; there may be left: ${left.map(quote).join(", ") || "nothing"}`,
    next: ({ path, left }) =>
      `Call file_stat with paths [${[path, ...left].map(quote).join(", ")}] before anything else.`,
  },
  LOCAL_PATH_REFUSED: {
    message: ({ path, roots, reason }) =>
      reason === undefined
        ? `local_path: ${quote(path)} lies outside the host directories that may be used: ${roots.map(quote).join(", ") || "none"}`
        : `local_path: ${quote(path)} cannot be used: ${reason}`,
    next: ({ add, reason, instead }) =>
      reason === undefined
        ? `Pass a path below one of these, or have the line local_roots: [${quote(add)}] added to the configuration file.`
        : (instead ?? "Pass another local_path, or have this one put right on the host."),
  },
  NAME_NOT_UTF8: {
    message: ({ target, path }) =>
      `path: what ${quote(path)} leads to on target ${quote(target)} has a name that is not UTF-8, and is left alone`,
    next: () => "Rename it on the target, or pass another path.",
  },
  PATTERN_TOO_COSTLY: {
    message: ({ argument, pattern, limit }) =>
      `${argument}: the pattern ${quote(pattern)} is over the limit of ${limit}`,
    next: ({ argument }) => `Pass a simpler ${argument}, with fewer * in it.`,
  },
} satisfies FailureTexts<FailureDetails & CoreFailureDetails>;

/** A failure as data, for an answer that holds several outcomes. */
export function describeFailure(error: QnxFsError): { code: FailureCode; message: string; next: string } {
  const text = failures[error.code];
  const details = error.details as never;
  return { code: error.code, message: text.message(details), next: text.next(details) };
}

/** The codes that opening a connection and asking over it can give. */
export const connectionCodes = [
  "TARGET_NOT_ALLOWED",
  "TARGET_UNREACHABLE",
  "HANDSHAKE_FAILED",
  "AUTH_FAILED",
  "KEY_ENCRYPTED",
  "KEY_UNREADABLE",
  "HOST_KEY_UNKNOWN",
  "HOST_KEY_CHANGED",
  "SFTP_MISSING",
  "CONNECTION_LOST",
] as const satisfies readonly FailureCode[];

/** The codes that going to a path can give besides. */
export const pathCodes = [
  ...connectionCodes,
  "PATH_NOT_NORMALISED",
  "OUTSIDE_ROOTS",
  "NOT_FOUND",
  "PERMISSION_DENIED",
  "REFUSED_BY_TARGET",
  "NAME_NOT_UTF8",
] as const satisfies readonly FailureCode[];

/** The codes that changing something at a path can give besides. */
export const changeCodes = [...pathCodes, "INVALID_ARGUMENT"] as const satisfies readonly FailureCode[];

function handshakeReason({ kind, reason, offer }: HandshakeProblem): string {
  if (kind !== "algorithms" || offer === undefined) return quote(reason);
  return `${reason}; this server offers ${quote(offer.ours.join(", "))}, the target ${quote(offer.theirs.join(", "))}`;
}

function handshakeRemedy({ kind, offer }: HandshakeProblem, setting: string): string {
  if (kind === "integrity") {
    return `Have algorithms: {mac: [hmac-sha2-256]} set under ${setting} in the configuration file, which helps with QNX's sshd.`;
  }
  if (kind === "algorithms" && offer !== undefined) {
    return offer.preset === undefined
      ? `Have a ${offer.what} that both sides know allowed in sshd_config on the target, or under algorithms of ${setting}.`
      : `Have algorithms: ${offer.preset} set under ${setting} in the configuration file, if the device is known to be that old.`;
  }
  return "Try again; if it fails the same way, check that host and port are those of an SSH server that is not overloaded.";
}

function loginReason({ kind, tried, unused = [], offered, variable, said }: LoginProblem): string {
  const told = said === undefined ? "" : `; it said ${quote(said)}`;
  switch (kind) {
    case "variable":
      return `the environment variable ${variable} is not set; clients hand on few variables by themselves`;
    case "new-password":
      return `the target demands a new password${told}`;
    case "timeout":
      return `the login did not end in time; tried: ${list(tried)}`;
    case "agent":
      return `tried: ${list(tried)}; the SSH agent could not be used${told}`;
    case "prompts":
    case "refused":
      return `tried: ${list(tried)}${unused.length > 0 ? `; not tried: ${list(unused)}` : ""}; the target takes: ${list(offered)}${told}`;
  }
}

function loginRemedy(
  { kind, user, tried, unused = [], offered, variable }: LoginProblem,
  setting: string,
): string {
  const inFile = `under ${setting} in the configuration file`;
  if (kind === "variable") return `Have ${envBlock(variable ?? "NAME")}, and the client restarted.`;
  if (kind === "new-password")
    return `Log in once with ssh to set it, then have the variable of password_env hold it.`;
  if (kind === "timeout") return "Try again when the target is less busy.";
  if (kind === "agent")
    return `Check that the agent runs and holds the key, or have identity_file set ${inFile}.`;
  if (unused.length > 0) {
    return `Have what was not tried put right ${inFile} or in the client's "env" block, or take it out.`;
  }
  const triedPassword = tried.some(isPassword);
  if (!triedPassword && offered.some(isPassword) && !offered.includes("publickey")) {
    return `Have password_env: NAME set ${inFile} and ${envBlock("NAME")}: the target takes only passwords.`;
  }
  if (tried.length === 0) return `Have identity_file, agent or password_env set ${inFile}.`;
  if (user === "root") {
    return `Have another user set ${inFile}, such as qnxuser: sshd of many QNX images refuses root; or check the key and password.`;
  }
  return tried.every(isPassword)
    ? `Check user ${inFile}, and that the variable of password_env holds the password.`
    : `Check user${triedPassword ? ", key and password" : " and key"} ${inFile}, and that the key stands in .ssh/authorized_keys on the target.`;
}

function isPassword(method: string): boolean {
  return method === "password" || method === "keyboard-interactive";
}

function envBlock(variable: string): string {
  return `"env": {"${variable}": "…"} added to this server's entry in the client's configuration`;
}

function list(names: readonly string[]): string {
  return names.length === 0
    ? "nothing"
    : names.map((name) => (/^[\w -]+$/.test(name) ? name : quote(name))).join(", ");
}

/** The command that pins keys, for a target or a jump on the way to it. */
function trustCommand(target: string, setting: string): string {
  return `qnx-fs-mcp trust ${setting.startsWith("jumps.") ? setting.slice("jumps.".length) : target}`;
}

/** Whether the known key stands in the configuration file, which comes first. */
function pinned(expected: readonly HostKeyNote[]): boolean {
  return expected.some(({ source }) => source?.endsWith(".host_key"));
}

function listKeys(keys: readonly HostKeyNote[]): string {
  const told = keys.slice(0, 4).map(({ type, fingerprint, source }) => {
    return `${type === undefined ? "" : `${type} `}${fingerprint}${source === undefined ? "" : ` (${source})`}`;
  });
  return `${told.join(", ")}${keys.length > told.length ? " and others" : ""}`;
}

/** Names, not more of them than one reads. */
function someOf(names: readonly string[]): string {
  const shown = names.slice(0, 20);
  const others = names.length - shown.length;
  return `${shown.join(", ") || "none"}${others > 0 ? ` and ${others} others (target_list)` : ""}`;
}

/** What a path with wildcards in it was meant to find, and where. */
function globIn(path: string): { directory: string; pattern: string } | undefined {
  const parts = path.split("/");
  const first = parts.findIndex((part) => /[*?[]/.test(part));
  if (first === -1) return undefined;
  return { directory: parts.slice(0, first).join("/") || "/", pattern: parts.slice(first).join("/") };
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf("/")));
}
