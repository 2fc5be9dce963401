import { commandOf } from "./command.ts";
import { type ContentFacts, describeContent } from "./content.ts";
import { AppFilesError, hasCode } from "./errors.ts";
import type { FileRecord, WriteReceipt } from "./file-record.ts";
import { appendBytes, callBytes, checkLimit, type Limits } from "./limits.ts";
import { detectMime, type MimeDetector } from "./mime.ts";
import { checkExpectedVersion } from "./plan-write.ts";
import { readAll } from "./read-window.ts";
import type { CallOptions, Command, FileStore } from "./store.ts";

/** A write as a caller asks for it; names are parsed. */
export interface WriteOrder {
  readonly app: string;
  readonly path: string;
  /** What the call brings. */
  readonly bytes: Uint8Array;
  /** Whether it goes after what is there, instead of replacing it. */
  readonly append: boolean;
  readonly mime?: string | undefined;
  /** 0: the file must not exist. */
  readonly expectedVersion?: number | undefined;
  /** What `bytes` must hash to; lower-case hex. */
  readonly expectedSha256?: string | undefined;
  readonly commandId?: string | undefined;
  readonly client: string;
}

export interface Writing {
  readonly store: FileStore;
  readonly detector: MimeDetector;
  readonly limits: Limits;
}

/**
 * Stores a file, or adds to one. When others append to the same file meanwhile, nothing of anybody's is lost.
 *
 * @throws AppFilesError SHA256_MISMATCH, LIMIT_EXCEEDED, CORRUPT, and what `FileStore.write` throws.
 */
export async function writeFile(
  order: WriteOrder,
  { store, detector, limits }: Writing,
  options: CallOptions = {},
): Promise<WriteReceipt> {
  checkSize("the bytes of one call", order.bytes.length, callBytes);
  const sent = describeContent(order.bytes);
  checkHash(order.expectedSha256, sent);
  checkLimit(limits, "file_bytes", sent.size);
  const { app, path, mime, client } = order;
  const command = commandFor(order, sent);
  const receipt = command && (await store.receipt(command, options));
  if (receipt !== undefined) return receipt;

  while (true) {
    const base = order.append ? await store.find(app, path, options) : undefined;
    if (order.append) checkExpectedVersion(path, order.expectedVersion, base);
    try {
      const bytes = base === undefined ? order.bytes : await appended(order, base, store, options);
      const facts = base === undefined ? sent : describeContent(bytes);
      const detectedMime = mime ?? (await detectMime(detector, path, bytes, facts.isText));
      const expectedVersion = order.append ? (base?.version ?? 0) : order.expectedVersion;
      return await store.write(
        { app, path, bytes, facts, mime, detectedMime, expectedVersion, command, client },
        options,
      );
    } catch (error) {
      // Somebody else wrote between our look and our write: what they wrote comes first.
      const overtaken = hasCode(error, "VERSION_CONFLICT") || hasCode(error, "VERSION_GONE");
      if (!order.append || order.expectedVersion !== undefined || !overtaken) throw error;
    }
  }
}

async function appended(
  { app, path, bytes }: WriteOrder,
  base: FileRecord,
  store: FileStore,
  options: CallOptions,
): Promise<Uint8Array> {
  checkSize("a file that is appended to", base.size + bytes.length, appendBytes);
  const content = await store.open(app, path, base.version, options);
  return Buffer.concat([await readAll(content), bytes]);
}

function checkSize(what: string, size: number, limit: number): void {
  if (size <= limit) return;
  throw new AppFilesError("INVALID_ARGUMENT", {
    argument: "",
    problem: `${what} may be ${limit} bytes at most, not ${size}`,
    next: "Store the content as several files, each by a file_write of its own.",
  });
}

function checkHash(expected: string | undefined, { sha256, size }: ContentFacts): void {
  if (expected === undefined || expected === sha256) return;
  throw new AppFilesError("SHA256_MISMATCH", { expected, actual: sha256, size });
}

function commandFor(order: WriteOrder, sent: ContentFacts): Command | undefined {
  const { app, path, append, mime, expectedVersion } = order;
  return commandOf(order.commandId, ["write", app, path, sent.sha256, append, mime, expectedVersion]);
}
