import type { FailureText } from "@mcp-file-servers/core";
import type { AppFilesError, FailureCode } from "./domain/errors.ts";
import { failures } from "./tools/failures.ts";

/** A failure in words, for whoever is no caller of a tool. */
export function describeFailure({ code, details }: AppFilesError): {
  readonly what: string;
  readonly next: string;
} {
  const text: FailureText<never> = failures[code as FailureCode];
  return { what: text.message(details as never), next: text.next(details as never) };
}
