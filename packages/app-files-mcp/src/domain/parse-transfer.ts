import { type AppPolicy, parseApp } from "./app-name.ts";
import { changeBy } from "./change-target.ts";
import type { TransferRequest } from "./file-changes.ts";
import { parsePath } from "./file-path.ts";

/** A copy or move as a caller asks for it. */
export interface TransferArguments {
  readonly app: string;
  readonly path: string;
  readonly new_path: string;
  readonly new_app?: string | undefined;
  readonly overwrite: boolean;
  readonly expected_version?: number | undefined;
  readonly command_id?: string | undefined;
}

/**
 * @param kind Tells the commands of copies from those of moves.
 * @throws AppFilesError INVALID_APP, APP_NOT_ALLOWED, INVALID_PATH, INVALID_ARGUMENT
 */
export function parseTransfer(
  args: TransferArguments,
  kind: "copy" | "move",
  policy: AppPolicy,
  client: string,
): TransferRequest {
  const { overwrite, expected_version: expectedVersion } = args;
  const app = parseApp(args.app, policy);
  const newApp = args.new_app === undefined ? app : parseApp(args.new_app, policy, "new_app");
  const path = parsePath(args.path);
  const newPath = parsePath(args.new_path, "new_path");
  const asked = [kind, app, path, newApp, newPath, overwrite, expectedVersion];
  const by = changeBy(client, args.command_id, asked);
  return { app, path, newApp, newPath, overwrite, expectedVersion, ...by };
}
