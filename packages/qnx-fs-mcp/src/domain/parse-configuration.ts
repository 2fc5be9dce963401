import { type AlgorithmLists, knownAlgorithms, type PresetName, presetNames } from "./algorithms.ts";
import { ConfigFields, type ConfigProblem, isMapping } from "./config-fields.ts";
import type { Configuration, Credentials, Endpoint, Target } from "./configuration.ts";
import { isFingerprint } from "./fingerprint.ts";
import { normaliseRemotePath } from "./remote-path.ts";

const endpointKeys = [
  "host",
  "port",
  "user",
  "ssh_config",
  "identity_file",
  "passphrase_env",
  "agent",
  "password_env",
  "host_key",
  "first_use",
  "algorithms",
  "jump",
];
const targetKeys = [...endpointKeys, "read_roots", "write_roots", "sftp_server"];
const algorithmKeys: Readonly<Record<string, keyof AlgorithmLists>> = {
  kex: "kex",
  host_key: "hostKey",
  cipher: "cipher",
  mac: "mac",
};
const longestChain = 3;

export type ParsedConfiguration =
  | { readonly configuration: Configuration; readonly problems?: undefined }
  | { readonly configuration?: undefined; readonly problems: readonly ConfigProblem[] };

/** Checks what a configuration file holds, already read as plain data; tells all that is wrong with it. */
export function parseConfiguration(tree: unknown): ParsedConfiguration {
  const problems: ConfigProblem[] = [];
  const top = new ConfigFields(tree, [], ["targets", "jumps", "local_roots"], problems);
  const jumps = parseNamed(top, "jumps", problems, (value, name, path) =>
    parseEndpoint(new ConfigFields(value, path, endpointKeys, problems), name),
  );
  const targets = parseNamed(top, "targets", problems, (value, name, path) =>
    parseTarget(new ConfigFields(value, path, targetKeys, problems), name),
  );
  const localRoots =
    top.list("local_roots", isLocalPath, "an absolute host directory or one that begins with ~/") ?? [];
  checkJumps(targets, jumps, problems);
  return problems.length > 0 ? { problems } : { configuration: { targets, jumps, localRoots } };
}

function parseNamed<Parsed>(
  top: ConfigFields,
  key: string,
  problems: ConfigProblem[],
  parse: (value: unknown, name: string, path: readonly string[]) => Parsed,
): Map<string, Parsed> {
  const value = top.value(key);
  if (value === undefined) return new Map();
  if (!isMapping(value)) {
    top.problem(key, `must map names to ${key}`);
    return new Map();
  }
  const entries = Object.entries(value).map(([name, fields]): [string, Parsed] => {
    if (!/^[a-z0-9_-]{1,64}$/.test(name)) {
      problems.push({
        path: [key, name],
        message: "a name is made of lowercase letters, digits, - and _, 64 at most",
      });
    }
    return [name, parse(fields, name, [key, name])];
  });
  return new Map(entries);
}

function parseTarget(fields: ConfigFields, name: string): Target {
  const sftpServer = fields.text(
    "sftp_server",
    isProgramPath,
    "the absolute path of a program, in letters, digits and ._+-",
  );
  return {
    ...parseEndpoint(fields, name),
    readRoots: parseRoots(fields, "read_roots") ?? ["/"],
    writeRoots: parseRoots(fields, "write_roots") ?? [],
    ...(sftpServer !== undefined && { sftpServer }),
  };
}

function parseRoots(fields: ConfigFields, key: string): readonly string[] | undefined {
  return fields.list(
    key,
    (root) => normaliseRemotePath(root) === root,
    "an absolute path on the target without ., .., // or a trailing /",
  );
}

function parseEndpoint(fields: ConfigFields, name: string): Endpoint {
  const sshConfig = fields.flag("ssh_config") ?? false;
  const host = fields.text("host", isHost, "a host name, an address or, with ssh_config: true, an alias");
  if (!fields.has("host")) fields.problem(undefined, "host is missing");
  const port = fields.integer("port", 1, 65_535);
  const user = fields.text("user", isUser, "a user name");
  if (!fields.has("user") && !sshConfig) fields.problem(undefined, "user is missing");
  const hostKey = fields.text(
    "host_key",
    isFingerprint,
    'a fingerprint such as "SHA256:…", as ssh-keygen -lf shows it',
  );
  const jump = fields.text("jump", () => true, "the name of a jump");
  return {
    name,
    host: host ?? "",
    sshConfig,
    credentials: parseCredentials(fields),
    firstUse: fields.flag("first_use") ?? false,
    algorithms: parseAlgorithms(fields),
    ...(port !== undefined && { port }),
    ...(user !== undefined && { user }),
    ...(hostKey !== undefined && { hostKey }),
    ...(jump !== undefined && { jump }),
  };
}

function parseCredentials(fields: ConfigFields): Credentials {
  const identityFile = fields.text(
    "identity_file",
    isLocalPath,
    "an absolute host path or one that begins with ~/",
  );
  const passphraseEnv = fields.text(
    "passphrase_env",
    isVariable,
    "the name of an environment variable, not the secret itself",
  );
  const passwordEnv = fields.text(
    "password_env",
    isVariable,
    "the name of an environment variable, not the secret itself",
  );
  const agent =
    fields.value("agent") === true || fields.value("agent") === false
      ? fields.flag("agent")
      : fields.text("agent", (path) => path !== "", "true or the path of the agent's socket");
  if (passphraseEnv !== undefined && identityFile === undefined && !fields.has("ssh_config")) {
    fields.problem("passphrase_env", "needs identity_file");
  }
  return {
    ...(identityFile !== undefined && { identityFile }),
    ...(passphraseEnv !== undefined && { passphraseEnv }),
    ...(passwordEnv !== undefined && { passwordEnv }),
    ...(agent !== undefined && agent !== false && { agent }),
  };
}

function parseAlgorithms(fields: ConfigFields): { preset: PresetName; own: Partial<AlgorithmLists> } {
  const value = fields.value("algorithms");
  if (value === undefined) return { preset: "qnx8", own: {} };
  if (!isMapping(value)) {
    const wanted = `${presetNames.join(", ")}, or a mapping of lists: ${Object.keys(algorithmKeys).join(", ")}`;
    const preset = fields.text(
      "algorithms",
      (text) => presetNames.some((known) => known === text),
      `one of ${wanted}`,
    );
    return { preset: (preset as PresetName | undefined) ?? "qnx8", own: {} };
  }
  const lists = fields.nested("algorithms", Object.keys(algorithmKeys));
  const own = Object.entries(algorithmKeys).flatMap(([key, list]) => {
    const known = knownAlgorithms[list];
    const names = lists.list(key, (name) => known.includes(name), `one of ${known.join(", ")}`);
    if (names?.length === 0) lists.problem(key, "must name at least one algorithm");
    return names === undefined ? [] : [[list, names] as const];
  });
  return { preset: "qnx8", own: Object.fromEntries(own) };
}

/** Every jump exists, none leads back to itself, and a chain has three at most. */
function checkJumps(
  targets: ReadonlyMap<string, Target>,
  jumps: ReadonlyMap<string, Endpoint>,
  problems: ConfigProblem[],
): void {
  for (const name of jumps.keys()) {
    if (targets.has(name))
      problems.push({ path: ["jumps", name], message: "is also the name of a target; a jump is never one" });
  }
  const all = [...entriesUnder("targets", targets), ...entriesUnder("jumps", jumps)];
  for (const [section, endpoint] of all) {
    const path = [section, endpoint.name, "jump"];
    const seen = section === "jumps" ? [endpoint.name] : [];
    let jump = endpoint.jump;
    while (jump !== undefined) {
      if (!jumps.has(jump)) {
        const known = [...jumps.keys()].join(", ") || "none";
        problems.push({ path, message: `no such jump under jumps; there are: ${known}` });
        break;
      }
      if (seen.includes(jump)) {
        problems.push({ path, message: `the jumps lead in a circle: ${[...seen, jump].join(" → ")}` });
        break;
      }
      seen.push(jump);
      if (seen.length > longestChain) {
        problems.push({ path, message: `a chain of jumps has ${longestChain} at most` });
        break;
      }
      jump = jumps.get(jump)?.jump;
    }
  }
}

function entriesUnder(section: string, map: ReadonlyMap<string, Endpoint>): [string, Endpoint][] {
  return [...map.values()].map((endpoint) => [section, endpoint]);
}

/** No leading dash and nothing that a shell or `ssh` could read as more than a name. */
function isHost(text: string): boolean {
  return text.length <= 255 && /^[A-Za-z0-9_:][A-Za-z0-9_.:%-]*$/.test(text);
}

function isUser(text: string): boolean {
  return text.length <= 255 && /^[^\s\p{C}-][^\s\p{C}]*$/u.test(text);
}

function isVariable(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]{0,254}$/.test(text);
}

function isLocalPath(text: string): boolean {
  return !/[\0\n\r]/.test(text) && /^(?:~[/\\]|\/|[A-Za-z]:[/\\]|\\\\)/.test(text);
}

function isProgramPath(text: string): boolean {
  return /^\/[A-Za-z0-9._+/-]+$/.test(text) && normaliseRemotePath(text) === text;
}
