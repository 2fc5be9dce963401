import type { CommandCall } from "@mcp-file-servers/core";
import { ZipError } from "../adapters/zip/read-zip.ts";
import type { commandLine } from "../config.ts";
import { describeFailure } from "../describe-failure.ts";
import { AppFilesError } from "../domain/errors.ts";
import { check } from "./check.ts";
import type { CommandDeps } from "./command-deps.ts";
import { exportApp } from "./export-app.ts";
import { importApp } from "./import-app.ts";

export type Call = CommandCall<typeof commandLine.options, typeof commandLine.commands>;

/** Carries a command out and says on stderr why it fails: exit code 1, or 130 when the user has interrupted it. */
export async function runCommand(call: Call, deps: CommandDeps): Promise<number> {
  const { terminal } = deps;
  try {
    if (call.name === "check") return await check(deps);
    const { args, values } = call;
    const run = call.name === "export" ? exportApp : importApp;
    return await run(args, values.overwrite, deps);
  } catch (error) {
    if (terminal.signal.aborted) {
      terminal.stderr.write("app-files-mcp: interrupted\n");
      return 130;
    }
    terminal.stderr.write(`app-files-mcp: ${describe(error)}\n`);
    return 1;
  }
}

function describe(error: unknown): string {
  if (error instanceof ZipError) return `the zip cannot be used: ${error.message}`;
  if (!(error instanceof AppFilesError)) throw error;
  const { what, next } = describeFailure(error);
  return `${what}\n${next}`;
}
