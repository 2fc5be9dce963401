import type { ConnectServices } from "../adapters/ssh/connect-target.ts";
import { TargetConnection } from "../adapters/ssh/target-connection.ts";
import { type Configuration, readableRoots, type Target } from "../domain/configuration.ts";
import { QnxFsError } from "../domain/errors.ts";
import { displayPath } from "../domain/raw-name.ts";
import { isWithin, joinPath } from "../domain/remote-path.ts";
import type { OpenTarget } from "../domain/targets.ts";
import type { StepOutcome } from "./check-step.ts";
import { checkWay } from "./check-way.ts";

/** Walks from the settings of a target to its roots; ends at the first step without which no other can be tried. */
export async function* checkTarget(
  target: Target,
  configuration: Configuration,
  services: ConnectServices,
  { write, newId }: { readonly write: boolean; readonly newId: () => string },
  signal: AbortSignal,
): AsyncGenerator<StepOutcome> {
  const way = yield* checkWay(target, configuration, services);
  if (way === undefined) return;
  try {
    const open = await TargetConnection.open(target, way, services);
    const { sftpVersion, extensions, sftpByExec } = open.facts;
    const how = sftpByExec ? `run as ${target.sftpServer}` : "the subsystem";
    const offered = Object.keys(extensions).join(", ") || "no extensions";
    yield { step: "SFTP", found: `version ${sftpVersion}, ${how}; ${offered}` };
    for (const root of readableRoots(target)) yield* checkRoot(open, root, signal);
    if (write) for (const root of target.writeRoots) yield* checkWriting(open, root, newId(), signal);
    open.close("idle");
  } catch (error) {
    if (!(error instanceof QnxFsError)) throw error;
    yield { step: "SFTP", failure: error };
  } finally {
    way.close();
  }
}

async function* checkRoot(open: OpenTarget, root: string, signal: AbortSignal): AsyncGenerator<StepOutcome> {
  try {
    const real = displayPath(await open.files.realPath(root, signal)).text;
    await open.files.lstat(real, signal);
    const where = real === root ? root : `${root} leads to ${real}`;
    yield { step: "root", found: isWithin(real, "/dev/shmem") ? `${where}, which is RAM` : where };
  } catch (error) {
    if (!(error instanceof QnxFsError) || error.code === "CONNECTION_LOST") throw error;
    yield { step: "root", failure: error };
  }
}

/** Writes a small file below a root, reads it and removes it. */
async function* checkWriting(
  open: OpenTarget,
  root: string,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<StepOutcome> {
  const { files, target } = open;
  const content = Buffer.from(`qnx-fs-mcp check ${id}\n`);
  try {
    const path = joinPath(displayPath(await files.realPath(root, signal)).text, `.qfs-check-${id}`);
    const writer = await files.open(path, "create", signal);
    try {
      await writer.write(oneOf(content), signal);
      await writer.close(signal);
      const reader = await files.open(path, "read", signal);
      const read = await reader.read(0, content.length + 1, signal).finally(() => reader.release());
      if (!read.equals(content)) {
        throw new QnxFsError("VERIFY_FAILED", { target, path, reason: "it reads back otherwise" });
      }
    } finally {
      writer.release();
      await files.removeFile(path, signal);
    }
    yield { step: "write", found: `a file in ${root} was written, read back and removed` };
  } catch (error) {
    if (!(error instanceof QnxFsError) || error.code === "CONNECTION_LOST") throw error;
    yield { step: "write", failure: error };
  }
}

async function* oneOf(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}
