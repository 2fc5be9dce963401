import { createInterface } from "node:readline/promises";
import { ConfigurationError } from "@mcp-file-servers/core";
import { collectHostKeys } from "../adapters/ssh/collect-host-keys.ts";
import { QnxFsError } from "../domain/errors.ts";
import { fingerprintOf, isFingerprint, type KeyBlob, keyTypeOf } from "../domain/fingerprint.ts";
import { judgeHostKey } from "../domain/host-keys.ts";
import { describeFailure } from "../tools/failures.ts";
import type { CommandDeps } from "./command-deps.ts";

/**
 * `trust TARGET`: shows the host keys of a target or jump and pins them after a yes; with a fingerprint the one key
 * that has it. Returns the exit code.
 */
export async function trust(
  name: string,
  fingerprint: string | undefined,
  deps: CommandDeps,
): Promise<number> {
  const { configFile, allows, services, terminal } = deps;
  const { stdout } = terminal;
  if (fingerprint !== undefined && !isFingerprint(fingerprint)) {
    throw new ConfigurationError(
      `--fingerprint must be as ssh-keygen -lf shows it, such as SHA256:…, not ${JSON.stringify(fingerprint)}`,
    );
  }
  const { configuration, problem } = await configFile.read();
  if (problem !== undefined) throw new ConfigurationError(problem);
  const { targets, jumps } = configuration;
  const machine = (allows(name) ? targets.get(name) : undefined) ?? jumps.get(name);
  if (machine === undefined) {
    const known = [...[...targets.keys()].filter(allows), ...jumps.keys()].join(", ") || "none";
    throw new ConfigurationError(
      `${JSON.stringify(name)} is no target or jump of ${configFile.file}; there are: ${known}`,
    );
  }
  try {
    const { endpoint, keys } = await collectHostKeys(machine, configuration, services);
    const { at, knownName, hostKey } = endpoint;
    const known = await services.hostKeys.knowledge(knownName, hostKey, `${at.setting}.host_key`);
    stdout.write(`${at.endpoint} shows these host keys:\n`);
    const judged = keys.map((blob) => ({ blob, verdict: judgeHostKey(blob, known).verdict }));
    for (const { blob, verdict } of judged)
      stdout.write(`  ${describeKey(blob)}  ${verdictTexts[verdict]}\n`);
    const wanted =
      fingerprint === undefined ? keys : keys.filter((blob) => fingerprintOf(blob) === fingerprint);
    if (wanted.length === 0) {
      stdout.write(`None of them has the fingerprint ${fingerprint}. Nothing was pinned.\n`);
      return 1;
    }
    if (judged.some(({ blob, verdict }) => verdict === "revoked" && wanted.includes(blob))) {
      stdout.write("A key that is marked as revoked is not pinned. Have the target given a new one.\n");
      return 1;
    }
    if (fingerprint === undefined && !(await askYes(terminal))) {
      stdout.write("Nothing was pinned.\n");
      return 1;
    }
    const [pins] = services.hostKeys.files;
    await services.hostKeys.replace(knownName, wanted);
    stdout.write(`Pinned in ${pins}.\n`);
    if (hostKey !== undefined && !wanted.some((blob) => fingerprintOf(blob) === hostKey)) {
      stdout.write(
        `${at.setting}.host_key names another key and comes first: take it out of ${configFile.file}.\n`,
      );
      return 1;
    }
    return 0;
  } catch (error) {
    if (!(error instanceof QnxFsError)) throw error;
    const { code, message, next } = describeFailure(error);
    stdout.write(`${code}: ${message}\n→ ${next}\n`);
    return 1;
  }
}

const verdictTexts = {
  accepted: "known",
  unknown: "not known yet",
  changed: "NOT the known key: a rebuilt image makes new ones, an attacker shows one too",
  revoked: "marked as REVOKED",
} as const;

function describeKey(blob: KeyBlob): string {
  return `${keyTypeOf(blob)} ${fingerprintOf(blob)}`;
}

async function askYes({ stdin, stdout, signal }: CommandDeps["terminal"]): Promise<boolean> {
  stdout.write("Compare them with ssh-keygen -lf FILE.pub on the target's console.\n");
  const lines = createInterface({ input: stdin });
  try {
    const ended = new Promise<string>((resolve) => lines.once("close", () => resolve("")));
    stdout.write("Pin them? Only the answer yes does: ");
    const answer = await Promise.race([lines.question("", { signal }), ended]);
    return answer.trim().toLowerCase() === "yes";
  } finally {
    lines.close();
  }
}
