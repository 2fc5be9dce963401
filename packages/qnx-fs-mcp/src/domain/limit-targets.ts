import { QnxFsError } from "./errors.ts";
import type { AllowedTargets, OpenTarget, Targets } from "./targets.ts";

/** The targets of one caller: those that `allows` says; the others are to it as if they were not there. */
export class LimitedTargets implements Targets {
  readonly #targets: Targets;
  readonly #allows: (name: string) => boolean;

  constructor(targets: Targets, allows: (name: string) => boolean) {
    this.#targets = targets;
    this.#allows = allows;
  }

  async allowed(): Promise<AllowedTargets> {
    const all = await this.#targets.allowed();
    const targets = all.targets.filter(({ target }) => this.#allows(target.name));
    return { ...all, targets, notAllowed: 0, limited: true };
  }

  async open(name: string, signal: AbortSignal): Promise<OpenTarget> {
    if (this.#allows(name)) {
      try {
        return await this.#targets.open(name, signal);
      } catch (error) {
        if (!(error instanceof QnxFsError) || error.code !== "TARGET_NOT_ALLOWED") throw error;
      }
    }
    const { targets, configFile, problem } = await this.allowed();
    const allowed = targets.map(({ target }) => target.name);
    const details = { target: name, allowed, configFile, ...(problem !== undefined && { problem }) };
    throw new QnxFsError("TARGET_NOT_ALLOWED", details);
  }
}
