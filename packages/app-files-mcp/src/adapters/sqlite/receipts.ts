import type { Reader, Writer } from "@mcp-file-servers/sqlite";
import { AppFilesError } from "../../domain/errors.ts";
import type { RehearsedRequest } from "../../domain/file-changes.ts";
import type { Command } from "../../domain/store.ts";

/** @throws AppFilesError COMMAND_ID_REUSED. The fingerprint vouches for the shape of the receipt. */
export function findReceipt<Receipt extends object>(reader: Reader, command: Command): Receipt | undefined {
  const row = reader.get<{ fingerprint: string; receipt: string }>(
    "SELECT fingerprint, receipt FROM receipt WHERE command_id = ?",
    [command.id],
  );
  if (row === undefined) return undefined;
  if (row.fingerprint !== command.fingerprint) {
    throw new AppFilesError("COMMAND_ID_REUSED", { commandId: command.id });
  }
  return JSON.parse(row.receipt) as Receipt;
}

function keepReceipt(writer: Writer, command: Command, receipt: object, now: number): void {
  writer.run("INSERT INTO receipt (command_id, fingerprint, receipt, at) VALUES (?, ?, ?, ?)", [
    command.id,
    command.fingerprint,
    JSON.stringify(receipt),
    now,
  ]);
}

/** Thrown out of a transaction so that it is rolled back: what it would have come to. */
export class Rehearsed extends Error {
  readonly receipt: object;

  constructor(receipt: object) {
    super("rehearsed");
    this.receipt = receipt;
  }
}

/** Does `work` once for each command; a dry run does it too, and then undoes it by throwing `Rehearsed`. */
export function once<Receipt extends object>(
  writer: Writer,
  { command, dryRun = false }: Pick<RehearsedRequest, "command" | "dryRun">,
  now: number,
  work: () => Receipt,
): Receipt {
  if (dryRun) throw new Rehearsed(work());
  const earlier = command && findReceipt<Receipt>(writer, command);
  if (earlier !== undefined) return earlier;
  const receipt = work();
  if (command !== undefined) keepReceipt(writer, command, receipt, now);
  return receipt;
}
