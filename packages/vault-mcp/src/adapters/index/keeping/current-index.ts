import type { Database } from "@mcp-file-servers/sqlite";
import { reasonOf } from "../../file-errors.ts";
import { inodeOf, makeIndexFile, type OpenedFile, openIndexFile } from "../index-file.ts";
import { changesSince, readScan, writeScan } from "../index-meta.ts";
import type { FromKeeper, ScanState } from "../keeper-messages.ts";
import { type KeeperReport, nothingYet } from "./keeper-report.ts";

export interface CurrentIndexParts {
  readonly file: string;
  readonly fingerprint: string;
  readonly report: KeeperReport;
  readonly signal: AbortSignal;
  /** Of several processes the one that leads makes the index and tells of it; the others follow. */
  leads(): boolean;
  post(message: FromKeeper): void;
  /** There is another, empty index. */
  remade(): void;
}

/** Two damages within this time are one that cannot be mended, milliseconds. */
const restsMs = 5_000;

/** The index that a keeper works on: opened, made again where it is damaged or gone, and followed where others write. */
export class CurrentIndex {
  readonly #parts: CurrentIndexParts;
  #opened: OpenedFile | undefined;
  #generation = 0;
  #rebuiltAt = Number.NEGATIVE_INFINITY;
  #rebuilding: Promise<void> | undefined;
  #stopCommits = () => {};

  constructor(parts: CurrentIndexParts) {
    this.#parts = parts;
  }

  get database(): Database | undefined {
    return this.#opened?.database;
  }

  /** Grows with every change that was told of. */
  get generation(): number {
    return this.#generation;
  }

  /** Whether another file, or none, lies where the one that is open was. */
  get isReplaced(): boolean {
    return this.#opened?.inode !== inodeOf(this.#parts.file);
  }

  /** Opens the index that another process has made, if there is one. */
  async openShared(): Promise<void> {
    const { file, fingerprint, leads, signal } = this.#parts;
    const opened = await openIndexFile(file, fingerprint);
    if (leads() || signal.aborted) opened?.database.close();
    else if (opened !== undefined) await this.#use(opened);
  }

  /** Opens the index, and makes it where there is none that can be used. */
  async openOwn(): Promise<void> {
    const { file, fingerprint } = this.#parts;
    if (this.#opened !== undefined && !this.isReplaced) return;
    await this.#use((await openIndexFile(file, fingerprint)) ?? (await makeIndexFile(file, fingerprint)));
  }

  /** Makes the index again; of several processes the one that leads does. */
  rebuild(why: string, error: unknown): Promise<void> {
    this.#rebuilding ??= this.#makeAgain(why, error).finally(() => {
      this.#rebuilding = undefined;
    });
    return this.#rebuilding;
  }

  /** Tells how far the scan is, and keeps it in the index for the others. */
  async tell(scan: ScanState): Promise<void> {
    const { report, leads } = this.#parts;
    report.set(scan);
    if (leads() && this.#opened !== undefined) await writeScan(this.#opened.database, scan);
  }

  /** What was written is known here: only what others write is still to be told of. */
  async skipOwnChanges(): Promise<void> {
    if (this.#opened === undefined) return;
    this.#generation = (await changesSince(this.#opened.database, this.#generation, 0)).generation;
  }

  async folders(): Promise<Set<string>> {
    const rows = await this.database?.read(({ all }) => all<{ path: string }>("SELECT path FROM folder"));
    return new Set((rows ?? []).map(({ path }) => path));
  }

  close(): void {
    this.#stopCommits();
    this.#opened?.database.close();
    this.#opened = undefined;
  }

  async #use(opened: OpenedFile): Promise<void> {
    const { file, report, post } = this.#parts;
    this.close();
    this.#opened = opened;
    const { database } = opened;
    const scan = { ...nothingYet, ...(await readScan(database)) };
    this.#generation = (await changesSince(database, Number.MAX_SAFE_INTEGER, 0)).generation;
    this.#stopCommits = database.watchCommits(() => this.#takeOthersChanges(opened));
    post({ kind: "opened", file });
    report.set(scan);
  }

  /** Tells of what other processes wrote. */
  #takeOthersChanges(opened: OpenedFile): void {
    const { report, post, leads } = this.#parts;
    const read = async () => {
      const scan = leads() ? undefined : { ...nothingYet, ...(await readScan(opened.database)) };
      const changes = await changesSince(opened.database, this.#generation, 5_000);
      this.#generation = changes.generation;
      if (changes.paths.length > 0) post({ kind: "changed", ...changes });
      if (scan !== undefined && !leads()) report.set(scan);
    };
    read().catch((error) => {
      if (this.#opened === opened) report.warn("reading the shared index failed", error);
    });
  }

  async #makeAgain(why: string, error: unknown): Promise<void> {
    const { file, fingerprint, report, signal, leads, remade } = this.#parts;
    if (!leads() || signal.aborted) return;
    const now = performance.now();
    // What is wrong again at once is not mended by making it again.
    if (now - this.#rebuiltAt < restsMs)
      return report.fail(`the index ${file} is damaged again and again`, error);
    this.#rebuiltAt = now;
    report.warn(why, error);
    report.set(nothingYet);
    this.close();
    try {
      await this.#use(await makeIndexFile(file, fingerprint));
      remade();
    } catch (cause) {
      report.fail(`the index ${file} cannot be made: ${reasonOf(cause)}`, cause);
    }
  }
}
