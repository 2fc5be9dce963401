import { QnxFsError } from "./errors.ts";
import { mapInParallel } from "./parallel.ts";
import { displayPath } from "./raw-name.ts";
import type { AllowedTarget, AllowedTargets, TargetFacts, Targets } from "./targets.ts";

const probesAtOnce = 8;

export interface ListTargetsRequest {
  readonly probe: boolean;
  readonly limit: number;
  /** The last name of the page before. */
  readonly after: string | undefined;
  /** Aborted when probing has taken long enough; what is not done by then is left out. */
  readonly deadline: AbortSignal;
  readonly progress: (done: number, total: number) => void;
}

/** What a target told when it was probed. */
export interface Probed {
  readonly facts: TargetFacts;
  /** Where /tmp leads; null where that cannot be told. */
  readonly tmp: string | null;
}

export interface TargetsPage {
  readonly configFile: string;
  readonly targets: readonly (AllowedTarget & { readonly probed?: Probed })[];
  readonly total: number;
  readonly more: boolean;
  readonly note: string | undefined;
}

/** The allowed targets by name; with `probe` those of the page are connected to. */
export async function listTargets(
  targets: Targets,
  { probe, limit, after, deadline, progress }: ListTargetsRequest,
  signal: AbortSignal,
): Promise<TargetsPage> {
  const allowed = await targets.allowed();
  const sorted = allowed.targets.toSorted((a, b) => (a.target.name < b.target.name ? -1 : 1));
  const left = sorted.filter(({ target }) => after === undefined || target.name > after);
  const page = left.slice(0, limit);
  let done = 0;
  let late = 0;
  const shown = probe
    ? await mapInParallel(page, probesAtOnce, async (entry) => {
        const probed = await probeTarget(targets, entry, AbortSignal.any([signal, deadline]));
        progress(++done, page.length);
        if (probed === undefined) late++;
        signal.throwIfAborted();
        return probed ?? entry;
      })
    : page;
  return {
    configFile: allowed.configFile,
    targets: shown,
    total: sorted.length,
    more: left.length > page.length,
    note:
      late > 0
        ? `${late} targets have not answered yet: call again to see what became of them.`
        : noteOn(allowed),
  };
}

/** Undefined when there was no time left to end it. */
async function probeTarget(
  targets: Targets,
  { target }: AllowedTarget,
  signal: AbortSignal,
): Promise<(AllowedTarget & { readonly probed?: Probed }) | undefined> {
  try {
    const { facts, files } = await targets.open(target.name, signal);
    const tmp = await files.realPath("/tmp", signal).then(displayPath, (error: unknown) => {
      if (error instanceof QnxFsError && error.code !== "CONNECTION_LOST") return undefined;
      throw error;
    });
    const probed = { facts, tmp: tmp === undefined || tmp.lossy ? null : tmp.text };
    return { target, connection: { state: "connected" }, probed };
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!(error instanceof QnxFsError)) throw error;
    return { target, connection: { state: "failed", failure: error } };
  }
}

function noteOn({
  configFile,
  targets,
  notAllowed,
  configured,
  problem,
  limited,
}: AllowedTargets): string | undefined {
  if (problem !== undefined)
    return `No target is allowed, as the configuration cannot be read any more: ${problem}.`;
  if (!configured && !limited)
    return `There is no configuration yet. Write ${configFile}, for example: ${example}`;
  if (targets.length > 0) return undefined;
  if (limited) return "No target lies in the scope of this caller's token.";
  return notAllowed > 0
    ? `${configFile} describes ${notAllowed} targets, and --allow matches none of them.`
    : `${configFile} describes no targets yet, for example: ${example}`;
}

/** On one line, in YAML's flow style, so that it survives in a note. */
const example =
  "targets: {tb: {host: 192.0.2.10, user: qnxuser, identity_file: ~/.ssh/id_ed25519, read_roots: [/], write_roots: [/tmp]}}";
