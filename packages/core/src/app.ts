import type { Resources } from "./resource.ts";
import type { Tool } from "./tool.ts";

/** A server as a value: what it says of itself and what it can do. `Deps` is what its tools work with. */
export interface App<Deps> {
  /** The package's name, also the command's. */
  readonly name: string;
  readonly title: string;
  readonly version: string;
  /** One sentence. */
  readonly description: string;
  /** What helps to use the server well; 2,000 characters at most. */
  readonly instructions: string;
  readonly tools: readonly Tool<Deps>[];
  /** The texts of every failure code, `FailureTexts`. */
  readonly failures: object;
  // biome-ignore lint/suspicious/noExplicitAny: positions differ from server to server.
  readonly resources?: Resources<Deps, any>;
}
