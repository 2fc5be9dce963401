import { type Configuration, jumpsTo, type Target } from "../../domain/configuration.ts";
import { QnxFsError } from "../../domain/errors.ts";
import type { AllowedTargets, ConnectionState, OpenTarget, Targets } from "../../domain/targets.ts";
import { abortable } from "../abortable.ts";
import type { ConfigFile } from "../config/config-file.ts";
import { type ConnectServices, connectTarget } from "./connect-target.ts";
import { TargetConnection } from "./target-connection.ts";

export interface TargetPoolOptions {
  readonly configFile: ConfigFile;
  /** Whether the command line lets a target be used. */
  readonly allows: (name: string) => boolean;
  readonly services: ConnectServices;
}

/** What is remembered of one target. `settings` tells whether the configuration still says the same. */
interface Slot {
  readonly settings: string;
  opening?: Promise<TargetConnection>;
  connection?: TargetConnection;
  failure?: QnxFsError;
}

/** The targets of the configuration file, with one connection each. The file is read again when it changed. */
export class TargetPool implements Targets {
  readonly #options: TargetPoolOptions;
  readonly #slots = new Map<string, Slot>();
  #closed = false;

  constructor(options: TargetPoolOptions) {
    this.#options = options;
  }

  async allowed(): Promise<AllowedTargets> {
    const { configFile } = this.#options;
    const { configuration, configured, problem } = await configFile.read();
    this.#forgetRemoved(configuration);
    const all = [...configuration.targets.values()];
    const targets = all.filter(({ name }) => this.#options.allows(name));
    return {
      configFile: configFile.file,
      targets: targets.map((target) => ({ target, connection: stateOf(this.#slot(target, configuration)) })),
      notAllowed: all.length - targets.length,
      configured,
      problem,
    };
  }

  async open(name: string, signal: AbortSignal): Promise<OpenTarget> {
    const { configFile, allows, services } = this.#options;
    const { configuration, problem } = await configFile.read();
    signal.throwIfAborted();
    this.#forgetRemoved(configuration);
    const target = allows(name) ? configuration.targets.get(name) : undefined;
    if (target === undefined) {
      const allowed = [...configuration.targets.keys()].filter(allows);
      const details = {
        target: name,
        allowed,
        configFile: configFile.file,
        ...(problem !== undefined && { problem }),
      };
      throw new QnxFsError("TARGET_NOT_ALLOWED", details);
    }
    const slot = this.#slot(target, configuration);
    if (slot.connection?.state === "alive") return slot.connection;
    slot.connection?.close("lost");
    slot.opening ??= this.#connect(slot, target, configuration, services);
    return abortable(slot.opening, signal);
  }

  /** Closes every connection; none is opened after that. */
  close(): void {
    this.#closed = true;
    for (const slot of this.#slots.values()) this.#drop(slot);
  }

  async #connect(
    slot: Slot,
    target: Target,
    configuration: Configuration,
    services: ConnectServices,
  ): Promise<TargetConnection> {
    try {
      const link = await connectTarget(target, configuration, services);
      const connection = await TargetConnection.open(target, link, services);
      if (this.#closed || this.#slots.get(target.name) !== slot) connection.close("lost");
      slot.connection = connection;
      delete slot.failure;
      return connection;
    } catch (error) {
      if (error instanceof QnxFsError) slot.failure = error;
      delete slot.connection;
      throw error;
    } finally {
      delete slot.opening;
    }
  }

  /** What is remembered of a target, or a new slot where its settings changed. */
  #slot(target: Target, configuration: Configuration): Slot {
    const settings = JSON.stringify([target, jumpsTo(target, configuration)]);
    const known = this.#slots.get(target.name);
    if (known?.settings === settings) return known;
    if (known !== undefined) this.#drop(known);
    const slot: Slot = { settings };
    this.#slots.set(target.name, slot);
    return slot;
  }

  #forgetRemoved({ targets }: Configuration): void {
    for (const [name, slot] of this.#slots) {
      if (targets.has(name)) continue;
      this.#drop(slot);
      this.#slots.delete(name);
    }
  }

  #drop(slot: Slot): void {
    slot.connection?.close("lost");
  }
}

function stateOf({ connection, failure }: Slot): ConnectionState {
  if (failure !== undefined) return { state: "failed", failure };
  if (connection === undefined) return { state: "never_tried" };
  if (connection.state === "alive") return { state: "connected" };
  return { state: "closed" };
}
