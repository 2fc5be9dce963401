import { commandOf } from "./command.ts";
import { describeContent } from "./content.ts";
import type { DiffTexts } from "./diff-texts.ts";
import { applyEdits, type Edit } from "./edit-text.ts";
import { AppFilesError, hasCode } from "./errors.ts";
import type { EditSummary, FileRecord } from "./file-record.ts";
import { appendBytes } from "./limits.ts";
import { checkExpectedVersion } from "./plan-write.ts";
import { readAll } from "./read-window.ts";
import type { CallOptions, FileStore } from "./store.ts";

/** An edit as a caller asks for it; names are parsed. */
export interface EditOrder {
  readonly app: string;
  readonly path: string;
  readonly edits: readonly Edit[];
  readonly expectedVersion?: number | undefined;
  readonly dryRun: boolean;
  readonly commandId?: string | undefined;
  readonly client: string;
}

/** What an edit comes to. */
export interface EditOutcome {
  /** The file as it is stored now. */
  readonly record: FileRecord;
  /** Of the app after it; undefined where nothing was written. */
  readonly filesVersion: number | undefined;
  readonly edit: EditSummary;
}

/** Length of a diff that is kept. */
const diffRoom = 20_000;

/**
 * Edits a text file. When others write it meanwhile and no version is expected, the edits are tried on what they
 * wrote.
 *
 * @throws AppFilesError NOT_FOUND, NOT_TEXT, CORRUPT, VERSION_CONFLICT, COMMAND_ID_REUSED, LIMIT_EXCEEDED, and what
 *   `applyEdits` throws.
 */
export async function editFile(
  order: EditOrder,
  { store, diffTexts }: { readonly store: FileStore; readonly diffTexts: DiffTexts },
  options: CallOptions = {},
): Promise<EditOutcome> {
  const { app, path, edits, expectedVersion, client } = order;
  const command = commandOf(order.commandId, ["edit", app, path, edits, expectedVersion]);
  const receipt = command && !order.dryRun && (await store.receipt(command, options));
  if (receipt) return outcomeOf(receipt);

  while (true) {
    const { record, text } = await readText(app, path, store, options);
    checkExpectedVersion(path, expectedVersion, record);
    const { text: changed, replacements } = applyEdits(path, text, edits);
    const { text: diff, isCut } = await diffTexts(path, text, changed, diffRoom);
    const edit = { replacements, diff, isDiffCut: isCut };
    const bytes = new TextEncoder().encode(changed);
    checkSize(bytes.length);
    if (order.dryRun || changed === text) return { record, filesVersion: undefined, edit };
    const request = { app, path, bytes, facts: describeContent(bytes), detectedMime: record.mime };
    try {
      return outcomeOf(
        await store.write({ ...request, expectedVersion: record.version, command, edit, client }, options),
      );
    } catch (error) {
      if (expectedVersion !== undefined || !hasCode(error, "VERSION_CONFLICT")) throw error;
    }
  }
}

async function readText(app: string, path: string, store: FileStore, options: CallOptions) {
  const content = await store.open(app, path, undefined, options);
  const { record, facts } = content;
  if (!facts.isText) throw new AppFilesError("NOT_TEXT", { path, mime: record.mime });
  checkSize(facts.size);
  const bytes = await readAll(content);
  return { record, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
}

function checkSize(size: number): void {
  if (size <= appendBytes) return;
  throw new AppFilesError("INVALID_ARGUMENT", {
    argument: "",
    problem: `a file that is edited may have ${appendBytes} bytes at most, not ${size}`,
    next: "Replace the file with file_write_begin, file_write_chunk and file_write_commit.",
  });
}

function outcomeOf(receipt: Awaited<ReturnType<FileStore["write"]>>): EditOutcome {
  const { filesVersion, edit = { replacements: 0, diff: "", isDiffCut: true }, ...record } = receipt;
  return { record, filesVersion, edit };
}
