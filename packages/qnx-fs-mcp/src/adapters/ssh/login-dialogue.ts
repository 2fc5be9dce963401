import type { AnyAuthMethod, Prompt } from "ssh2";
import { isQnxFsError, type LoginProblem, type QnxFsError } from "../../domain/errors.ts";
import type { Login, LoginMethod } from "./login-methods.ts";

/**
 * One login: offers each method once, in order, as far as the server allows it, so that it always ends. A password is
 * typed once; a server that goes on asking is given up, as is one that wants a new password.
 */
export class LoginDialogue {
  readonly #login: Login;
  readonly #giveUp: () => void;
  readonly #left: LoginMethod[];
  readonly #tried: string[] = [];
  #offered: readonly string[] = [];
  #typed = false;
  #problem: Pick<LoginProblem, "kind" | "said"> | undefined;

  /** `giveUp` ends the connection. */
  constructor(login: Login, giveUp: () => void) {
    this.#login = login;
    this.#left = [...login.methods];
    this.#giveUp = giveUp;
  }

  /** The next method; false when there is none left. `allowed`: what the server takes, null before it said so. */
  next(allowed: readonly string[] | null): AnyAuthMethod | false {
    if (allowed !== null) this.#offered = allowed;
    const index = this.#left.findIndex(({ protocol }) => allowed === null || allowed.includes(protocol));
    const [method] = index < 0 ? [] : this.#left.splice(index, 1);
    if (method === undefined) return false;
    if (method.protocol !== "none") this.#tried.push(method.name);
    return method.make((_name, instructions, _language, prompts, finish) => {
      const answers = this.#answer(instructions, prompts);
      if (answers === undefined) this.#giveUp();
      else finish(answers);
    });
  }

  /** The server wants the password changed; that is left to its owner. */
  refuseNewPassword(said: string): void {
    this.#problem = { kind: "new-password", said };
    this.#giveUp();
  }

  /** The agent or a key could not sign; the next method is tried all the same. */
  noteAgentProblem(said: string): void {
    this.#problem ??= { kind: "agent", said };
  }

  /** Why it failed. */
  outcome(user: string, kind: LoginProblem["kind"], said?: string): LoginProblem {
    return {
      user,
      kind,
      tried: this.#tried,
      unused: this.#login.problems.map(whyUnused),
      offered: this.#offered,
      ...(said && { said }),
      ...this.#problem,
    };
  }

  #answer(instructions: string, prompts: readonly Prompt[]): string[] | undefined {
    const hidden = prompts.filter(({ echo }) => echo === false);
    const said = [instructions, ...prompts.map(({ prompt }) => prompt)].join(" ").trim();
    const wantsNew = hidden.some(({ prompt }) => /\bnew\b.*password|\bretype\b/i.test(prompt));
    if (wantsNew || (hidden.length > 0 && this.#typed)) {
      this.#problem = { kind: wantsNew ? "new-password" : "prompts", said };
      return undefined;
    }
    if (hidden.length > 0) this.#typed = true;
    return prompts.map(({ echo }) => (echo === false ? (this.#login.password ?? "") : ""));
  }
}

/** What could not be tried, on one line. */
function whyUnused(problem: QnxFsError): string {
  if (isQnxFsError(problem, "KEY_ENCRYPTED")) return `key ${problem.details.file}, which is encrypted`;
  if (isQnxFsError(problem, "KEY_UNREADABLE"))
    return `key ${problem.details.file}: ${problem.details.reason}`;
  const { variable } = (problem as QnxFsError<"AUTH_FAILED">).details;
  return `${variable}, which is not set`;
}
