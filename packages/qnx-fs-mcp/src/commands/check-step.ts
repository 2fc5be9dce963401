import type { QnxFsError } from "../domain/errors.ts";

/** What a check goes through, in this order. */
export type CheckStep =
  | "settings"
  | "name"
  | "port"
  | "banner"
  | "algorithms"
  | "host key"
  | "login"
  | "SFTP"
  | "root"
  | "write";

/** What one step came to: well, with what was found; or not, with the reason. `jump`: the machine that it is about, where that is no target. */
export type StepOutcome = { readonly step: CheckStep; readonly jump?: string | undefined } & (
  | { readonly found: string; readonly failure?: undefined }
  | { readonly failure: QnxFsError }
);
