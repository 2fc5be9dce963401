/**
 * Failures as callers read them. A server's errors carry a `code` and `details`; the texts live in one map a
 * server, so that a code without a message or a next step does not compile.
 */

/** What each of core's own codes tells about itself. A server's union extends it. */
export interface CoreFailureDetails {
  /** `next` is one imperative sentence. */
  INVALID_ARGUMENT: { argument: string; problem: string; next: string };
  INVALID_CURSOR: { reason: string };
  TIMED_OUT: { seconds: number };
  CANCELLED: object;
  INTERNAL: object;
}

/** The message and the next step of one code. */
export interface FailureText<Details> {
  /** What is wrong, naming the argument and value; begins in lower case, ends without a full stop. */
  message(details: Details): string;
  /** One imperative sentence that names a tool, argument or setting; begins with `Try again` where that can help. */
  next(details: Details): string;
}

/** A text for every code of `Details`. */
export type FailureTexts<Details> = { readonly [Code in keyof Details]: FailureText<Details[Code]> };

/** An error that a caller is meant to read. Domain errors of this shape need not know this type. */
export interface Failure extends Error {
  readonly code: string;
  readonly details: object;
}

const foreignTextLimit = 200;

/**
 * Foreign text (a path, an argument, what a remote side said) made fit for a message: in double quotes, without
 * control characters and line separators, 200 characters at most.
 */
export function quote(text: string): string {
  const plain = text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, " ");
  const characters = Array.from(plain);
  return characters.length <= foreignTextLimit
    ? `"${plain}"`
    : `"${characters.slice(0, foreignTextLimit).join("")}…"`;
}

/** The texts of core's own codes, to be spread into a server's map. */
export const coreFailures: FailureTexts<CoreFailureDetails> = {
  INVALID_ARGUMENT: {
    message: ({ argument, problem }) => (argument === "" ? problem : `${argument}: ${problem}`),
    next: ({ next }) => next,
  },
  INVALID_CURSOR: {
    message: ({ reason }) => `cursor: ${reason}`,
    next: () =>
      "Start again without cursor, then pass next_cursor back unchanged with the same other arguments.",
  },
  TIMED_OUT: {
    message: ({ seconds }) => `the call took longer than ${seconds} s and was stopped`,
    next: () => "Try again with a narrower request.",
  },
  CANCELLED: {
    message: () => "the call was cancelled before it was done",
    next: () => "Try again when the answer is wanted.",
  },
  INTERNAL: {
    message: () => "the server failed in a way that it did not foresee; its log on stderr has the details",
    next: () => "Try again once, then report it with the log if it fails the same way.",
  },
};

/** Whether an error is one of the failures that `texts` can tell. */
export function isFailure(error: unknown, texts: object): error is Failure {
  return (
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "string" &&
    Object.hasOwn(texts, error.code) &&
    "details" in error &&
    typeof error.details === "object"
  );
}

/** A failure of core's own. */
export class CoreFailure<Code extends keyof CoreFailureDetails> extends Error implements Failure {
  override readonly name = "CoreFailure";
  readonly code: Code;
  readonly details: CoreFailureDetails[Code];

  constructor(code: Code, details: CoreFailureDetails[Code], options?: ErrorOptions) {
    super(code, options);
    this.code = code;
    this.details = details;
  }
}

/** `CODE: what is wrong.` newline `Next: what to do.` */
export function failureText(failure: Failure, texts: FailureTexts<Record<string, never>>): string {
  const text = texts[failure.code];
  if (text === undefined) throw new TypeError(`no text for ${failure.code}`);
  const details = failure.details as never;
  return `${failure.code}: ${text.message(details)}.\nNext: ${text.next(details)}`;
}
