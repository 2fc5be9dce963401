import { ConfigurationError } from "@mcp-file-servers/core";
import type { Configuration } from "../domain/configuration.ts";
import { describeFailure } from "../tools/failures.ts";
import type { StepOutcome } from "./check-step.ts";
import { checkTarget } from "./check-target.ts";
import type { CommandDeps } from "./command-deps.ts";
import { exampleConfig } from "./example-config.ts";

/** `check [TARGET]…`: says step by step what works and what to do about the rest. Returns the exit code. */
export async function check(
  names: readonly string[],
  { write, example }: { readonly write: boolean; readonly example: boolean },
  deps: CommandDeps,
): Promise<number> {
  const { stdout, signal } = deps.terminal;
  if (example) {
    stdout.write(exampleConfig);
    return 0;
  }
  const { configuration, configured, problem } = await deps.configFile.read();
  if (problem !== undefined) throw new ConfigurationError(problem);
  if (!configured) {
    stdout.write(
      `There is no configuration yet. Write one to ${deps.configFile.file}; check --example prints one to begin with.\n`,
    );
    return 1;
  }
  let failed = 0;
  const targets = chooseTargets(names, configuration, deps);
  for (const target of targets) {
    stdout.write(`${target.name}\n`);
    let ended = false;
    let jump: string | undefined;
    for await (const outcome of checkTarget(
      target,
      configuration,
      deps.services,
      { write, newId: deps.newId },
      signal,
    )) {
      if (outcome.jump !== jump) {
        jump = outcome.jump;
        stdout.write(jump === undefined ? `  behind it ${target.name}\n` : `  by jump ${jump}\n`);
      }
      stdout.write(describeOutcome(outcome));
      ended ||= outcome.failure !== undefined;
    }
    if (ended) failed++;
  }
  if (targets.length === 0) stdout.write("No target is described, or --allow leaves none.\n");
  else
    stdout.write(
      failed === 0 ? "All is well.\n" : `${failed} of ${targets.length} targets need something.\n`,
    );
  return failed === 0 && targets.length > 0 ? 0 : 1;
}

function chooseTargets(
  names: readonly string[],
  { targets }: Configuration,
  { allows, configFile }: CommandDeps,
) {
  const allowed = [...targets.values()].filter(({ name }) => allows(name));
  for (const name of names) {
    if (allowed.some((target) => target.name === name)) continue;
    const known = allowed.map((target) => target.name).join(", ") || "none";
    throw new ConfigurationError(
      `${JSON.stringify(name)} is no allowed target of ${configFile.file}; there are: ${known}`,
    );
  }
  return names.length === 0 ? allowed : allowed.filter(({ name }) => names.includes(name));
}

function describeOutcome(outcome: StepOutcome): string {
  const step = outcome.step.padEnd(10);
  if (outcome.failure === undefined) return `  ok    ${step}  ${outcome.found}\n`;
  const { code, message, next: remedy } = describeFailure(outcome.failure);
  // Who reads this has just called it, and has no tools.
  const next =
    outcome.step === "root" && code === "NOT_FOUND"
      ? "Have the roots in the configuration file name directories that are there."
      : remedy.replace(/; qnx-fs-mcp check \S+ in a terminal goes through them/, "");
  return `  FAIL  ${step}  ${code}: ${message}\n                    → ${next}\n`;
}
