import { describeFailure } from "../describe-failure.ts";
import { AppFilesError, type FailureCode } from "../domain/errors.ts";

/** A request that is wrong in a way that only HTTP knows. */
export class RouteFailure extends Error {
  override readonly name = "RouteFailure";
  readonly status: number;
  readonly code: string;
  readonly next: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    next: string,
    headers: Record<string, string> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.next = next;
    this.headers = headers;
  }
}

const statuses: Partial<Record<FailureCode, number>> = {
  INVALID_ARGUMENT: 400,
  INVALID_APP: 400,
  INVALID_PATH: 400,
  APP_NOT_ALLOWED: 403,
  NOT_FOUND: 404,
  VERSION_GONE: 410,
  PATH_COLLISION: 409,
  VERSION_CONFLICT: 412,
  LIMIT_EXCEEDED: 413,
  STORE_UNAVAILABLE: 503,
};

/** A failure as a response, and its code; throws what is no failure. */
export function respondFailure(error: unknown): { readonly response: Response; readonly code: string } {
  if (error instanceof RouteFailure) {
    const { status, code, message, next, headers } = error;
    return { response: Response.json({ code, message, next }, { status, headers }), code };
  }
  if (!(error instanceof AppFilesError)) throw error;
  const code = error.code as FailureCode;
  const { what, next } = describeFailure(error);
  return { response: Response.json({ code, message: what, next }, { status: statuses[code] ?? 500 }), code };
}
